import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SecretBoxTests {
  private let box: SecretBox
  private let place = SealedPlace(
    .providerSecret, project: "demo", row: "apple.com")

  init() throws {
    box = SecretBox(try #require(MasterKey([UInt8](repeating: 7, count: 32))))
  }

  private static let damage = StoreError.damaged(
    "providers.client_secret of “apple.com” can't be decrypted with this master key")

  @Test(arguments: [0, 1, 16, 1000])
  func `a plaintext is encrypted and decrypted`(count: Int) throws {
    let plaintext = [UInt8](repeating: 9, count: count)
    #expect(try box.open(box.seal(plaintext, at: place), at: place) == plaintext)
  }

  @Test func `the same plaintext is encrypted differently each time`() throws {
    let first = try box.seal([1, 2, 3], at: place)
    let second = try box.seal([1, 2, 3], at: place)
    #expect(first != second)
  }

  @Test func `a ciphertext moved to another place can't be decrypted`() throws {
    let sealed = try box.seal([1, 2, 3], at: place)
    let places = [
      SealedPlace(.applePrivateKey, project: "demo", row: "apple.com"),
      SealedPlace(.providerSecret, project: "other", row: "apple.com"),
      SealedPlace(.providerSecret, project: "demo", row: "other"),
      SealedPlace(.providerSecret, project: "demoa", row: "pple.com"),
    ]
    for other in places {
      let damage = StoreError.damaged(
        "\(other.column.rawValue) of “\(other.row)” can't be decrypted with this master key")
      #expect(throws: damage) { try box.open(sealed, at: other) }
    }
  }

  /// `provider_clients` and `code_webhooks` both have a column `secret`.
  @Test func `a ciphertext moved to a column of the same name can't be decrypted`() throws {
    let sealed = try box.seal(
      [1, 2, 3], at: SealedPlace(.providerClientSecret, project: "demo", row: "demo"))
    let damage = StoreError.damaged(
      "code_webhooks.secret of “demo” can't be decrypted with this master key")
    #expect(throws: damage) {
      try box.open(sealed, at: SealedPlace(.codeWebhookSecret, project: "demo", row: "demo"))
    }
  }

  /// Another encoding of a place would make every stored secret unreadable.
  @Test func `a stored ciphertext can be decrypted`() throws {
    // Computed by another implementation of HKDF and AES-GCM.
    let stored = try #require(
      Data(
        base64Encoded: "Abuh7CQAAQIDBAUGBwgJCguks8KZo+TyXYnHW6GYQCjpBq2kdwMHUnGrEsnMg6qc"))
    #expect(try box.open(Array(stored), at: place) == Array("a client secret".utf8))
  }

  @Test func `a ciphertext can't be decrypted under another master key`() throws {
    let other = SecretBox(try #require(MasterKey([UInt8](repeating: 8, count: 32))))
    let sealed = try box.seal([1, 2, 3], at: place)
    #expect(throws: Self.damage) { try other.open(sealed, at: place) }
  }

  @Test func `a truncated ciphertext can't be decrypted`() throws {
    let sealed = try box.seal([1, 2, 3], at: place)
    for count in 0..<sealed.count {
      #expect(throws: Self.damage) { try box.open(Array(sealed.prefix(count)), at: place) }
    }
    #expect(throws: Self.damage) { try box.open(sealed + [0], at: place) }
  }

  @Test func `a ciphertext changed in any byte can't be decrypted`() throws {
    let sealed = try box.seal([1, 2, 3], at: place)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: Self.damage) { try box.open(changed, at: place) }
    }
  }
}
