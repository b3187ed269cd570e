import GatehouseServer
import Testing

@Suite struct MasterKeyRingTests {
  private func key(_ byte: UInt8) throws -> MasterKey {
    try #require(MasterKey([UInt8](repeating: byte, count: 32)))
  }

  @Test func `a ciphertext can be decrypted while its key is held`() throws {
    let ring = try #require(MasterKeyRing([try key(1), try key(2)]))
    let box = SecretBox(ring)
    let place = SealedPlace(.signingKey, project: "p", row: "r")
    let first = try box.seal([9], at: place)
    #expect(try ring.select(checkValue: key(2).checkValue, former: []))
    let second = try box.seal([9], at: place)
    #expect(try Array(first[1..<5]) == key(1).id)
    #expect(try Array(second[1..<5]) == key(2).id)
    #expect(try [box.open(first, at: place), box.open(second, at: place)] == [[9], [9]])
    ring.adopt([try key(2)])
    #expect(try box.open(second, at: place) == [9])
    let damage = StoreError.damaged(
      "signing_keys.private_key of “r” can't be decrypted with this master key")
    #expect(throws: damage) { try box.open(first, at: place) }
  }

  @Test func `a key that isn't held can't be selected`() throws {
    let ring = MasterKeyRing(try key(1))
    #expect(try !ring.select(checkValue: key(2).checkValue, former: []))
    #expect(try ring.current.id == key(1).id)
  }

  @Test func `the key that encrypts stays when other keys are adopted`() throws {
    let ring = MasterKeyRing(try key(1))
    ring.adopt([])
    #expect(try ring.keys.map(\.id) == [key(1).id])
    ring.adopt([try key(2), try key(2)])
    #expect(try ring.keys.map(\.id) == [key(1).id, key(2).id])
    #expect(try ring.current.id == key(1).id)
  }

  @Test func `several keys are read, separated by white space or commas`() throws {
    let keys = [try key(1), try key(2)].map { $0.base64.reveal() }
    for text in [
      keys.joined(separator: "\n") + "\n", keys.joined(separator: ","),
      keys.joined(separator: " , "),
    ] {
      #expect(try MasterKey.list(text)?.map(\.id) == [key(1).id, key(2).id])
    }
  }

  @Test func `a list with other text, no keys or too many is rejected`() throws {
    let one = try key(1).base64.reveal()
    for text in ["", " \n", one + " AAAA", "# a comment\n" + one] {
      #expect(MasterKey.list(text) == nil)
    }
    let count = MasterKeyRing.maximumKeys
    #expect(MasterKey.list(Array(repeating: one, count: count).joined(separator: " ")) != nil)
    #expect(MasterKey.list(Array(repeating: one, count: count + 1).joined(separator: " ")) == nil)
  }
}
