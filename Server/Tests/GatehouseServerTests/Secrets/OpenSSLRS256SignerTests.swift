import Crypto
import CryptoExtras
import GatehouseServer
import GatehouseTokens
import Testing

@Suite struct OpenSSLRS256SignerTests {
  private static let generated = Result { try RSASigningKey.generate() }

  private func isValid(_ signature: [UInt8], for message: [UInt8]) throws -> Bool {
    let key = try _RSA.Signing.PublicKey(derRepresentation: try Self.generated.get().spkiDER)
    return key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
      padding: .insecurePKCS1v1_5)
  }

  @Test(arguments: [0, 1, 64, 1000, 100_000])
  func `swift-crypto verifies what libcrypto signs`(count: Int) throws {
    let signer = try OpenSSLRS256Signer(key: try Self.generated.get())
    let message = [UInt8](repeating: 0x61, count: count)
    let signature = try signer.sign(message)
    #expect(signature.count == 256)
    #expect(try isValid(signature, for: message))
    #expect(try !isValid(signature, for: message + [0]))
  }

  @Test func `both signers create the same signature`() throws {
    // PKCS #1 v1.5 has no randomness.
    let key = try Self.generated.get()
    let message = Array("message".utf8)
    #expect(
      try OpenSSLRS256Signer(key: key).sign(message) == RS256Signer(key: key).sign(message))
  }

  @Test func `the signer has the key's id and its algorithm`() throws {
    let key = try Self.generated.get()
    let signer = try OpenSSLRS256Signer(key: key)
    #expect(signer.keyID == key.keyID)
    #expect(signer.algorithm == .rs256)
  }

  @Test func `many tasks sign with one key at once`() async throws {
    let signer = try OpenSSLRS256Signer(key: try Self.generated.get())
    let signatures = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for index in 0..<200 {
        group.addTask { (index, try signer.sign(Array("message \(index)".utf8))) }
      }
      var signatures: [(Int, [UInt8])] = []
      for try await signature in group { signatures.append(signature) }
      return signatures
    }
    #expect(signatures.count == 200)
    for (index, signature) in signatures {
      #expect(try isValid(signature, for: Array("message \(index)".utf8)))
    }
  }
}
