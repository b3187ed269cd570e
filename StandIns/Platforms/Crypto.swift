// Replaces swift-crypto for `scripts/platforms`, which only type-checks: on Apple's platforms it is
// CryptoKit.

public import Foundation

public struct SHA256Digest: Sequence, Sendable {
  public func makeIterator() -> IndexingIterator<[UInt8]> { [UInt8]().makeIterator() }
}

public struct SHA256: Sendable {
  public init() {}
  public mutating func update(data: [UInt8]) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
  public static func hash(data: some Sequence<UInt8>) -> SHA256Digest { SHA256Digest() }
}

public struct SymmetricKey: Sendable {
  public init(data: some Sequence<UInt8>) {}
}

public enum Insecure { public enum SHA1 {} }

public enum HMAC<Hash> {
  public static func authenticationCode(
    for data: some Sequence<UInt8>, using key: SymmetricKey
  ) -> [UInt8] { [] }
}

public enum P256 {
  public enum Signing {
    public struct PrivateKey: Sendable {
      public init() {}
      public var publicKey: PublicKey { PublicKey() }
      public func signature(for data: some Sequence<UInt8>) throws -> ECDSASignature {
        ECDSASignature()
      }
    }

    public struct PublicKey: Sendable {
      init() {}
      public init(rawRepresentation: some Sequence<UInt8>) throws {}
      public var rawRepresentation: Data { Data() }
      public func isValidSignature(
        _ signature: ECDSASignature, for data: some Sequence<UInt8>
      ) -> Bool { false }
    }

    public struct ECDSASignature: Sendable {
      init() {}
      public init(derRepresentation: some Sequence<UInt8>) throws {}
      public var derRepresentation: Data { Data() }
    }
  }
}
