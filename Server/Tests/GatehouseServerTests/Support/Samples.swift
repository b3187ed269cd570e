import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

extension ProviderID {
  static func named(_ text: String) throws -> ProviderID { try #require(ProviderID(text)) }
}

func email(_ text: String) throws -> EmailAddress { try #require(EmailAddress(text)) }

func uid(_ text: String) throws -> UID { try #require(UID(text)) }

func subject(_ text: String) throws -> Subject { try #require(Subject(text)) }

/// What a provider's statement about an address is worth.
enum Word {
  case verified
  case untrusted
  case unverified

  var isVerified: Bool { self != .unverified }
  var isTrusted: Bool { self != .untrusted }
}

func identity(
  _ provider: ProviderID = .google, _ name: String = "ann", email text: String? = nil,
  _ word: Word = .verified, name displayName: String? = nil, photo: String? = nil
) throws -> ExternalIdentity {
  let asserted = try text.map {
    AssertedEmail(
      address: try email($0), isVerified: word.isVerified, isTrusted: word.isTrusted)
  }
  return ExternalIdentity(
    provider: provider, subject: try subject(name), email: asserted,
    profile: .init(displayName: displayName, photoURL: photo))
}

extension ExternalIdentity {
  /// The same, verified by a token that may be used once.
  ///
  /// - Parameter nonce: nil: another one for each token.
  func once(_ byte: UInt8 = 1, nonce: UInt8? = nil) -> ExternalIdentity {
    var identity = self
    identity.use = .once(
      token: Self.record(0, byte), nonce: Self.record(1, nonce ?? byte))
    return identity
  }

  /// The same, verified by a token of ``once(_:nonce:)`` in a request without a nonce.
  func repeatable(_ byte: UInt8 = 1) -> ExternalIdentity {
    var identity = self
    identity.use = .repeatable(Self.record(0, byte))
    return identity
  }

  private static func record(_ kind: UInt8, _ byte: UInt8) -> SingleUseToken {
    SingleUseToken(
      digest: [kind] + [UInt8](repeating: byte, count: 31),
      expiresAt: World.start.addingTimeInterval(3600))
  }
}

/// The payload of a compact token.
func claims(of token: String) throws -> JSONObject {
  let parts = token.split(separator: ".")
  let encoded = try #require(parts.dropFirst().first)
  let payload = try #require(Base64URL.decode(String(encoded)))
  return try JSONObject(parsing: payload)
}

extension String {
  /// The same with one character in the middle changed.
  var tampered: String {
    var characters = Array(self)
    let middle = characters.count / 2
    characters[middle] = characters[middle] == "A" ? "B" : "A"
    return String(characters)
  }
}

/// Apple's identity behind a private relay address.
func relay() throws -> ExternalIdentity {
  var identity = try identity(.apple, "apple-ann", email: "relay@example.com")
  identity.isPrivateEmail = true
  return identity
}
