/// Signs bytes with one private key. Implementations are safe to use from many threads at once.
public protocol TokenSigner: Sendable {
  var algorithm: SignatureAlgorithm { get }

  /// The `kid` of the header.
  var keyID: String { get }

  /// The JWS signature of `message` (RFC 7515 §5.1, 5), not encoded.
  func sign(_ message: [UInt8]) throws -> [UInt8]
}
