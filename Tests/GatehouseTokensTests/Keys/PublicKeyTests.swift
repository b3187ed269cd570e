import Crypto
import CryptoExtras
import GatehouseTokens
import Testing

@Suite struct PublicKeyTests {
  @Test func `a public key has the same id as its private key`() throws {
    let key = try Fixture.key
    let read = try VerificationKey(spkiDER: key.spkiDER)
    #expect(read.keyID == key.keyID)
    #expect(read.spkiDER == key.spkiDER)
  }

  @Test func `a key under 2048 bits is too weak`() throws {
    let weak = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    #expect(throws: PublicKeyError(reason: .tooWeak)) {
      try VerificationKey(spkiDER: Array(weak.publicKey.derRepresentation))
    }
  }

  @Test func `another kind of key, or a text that isn't a key, is malformed`() throws {
    let elliptic = P256.Signing.PrivateKey().publicKey.derRepresentation
    for bytes in [Array(elliptic), [], [0x30], try Fixture.key.pkcs8DER] {
      #expect(throws: PublicKeyError(reason: .malformed)) { try VerificationKey(spkiDER: bytes) }
    }
  }
}
