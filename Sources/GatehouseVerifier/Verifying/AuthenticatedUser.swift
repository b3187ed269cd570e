public import Foundation
import GatehouseProtocol
public import GatehouseTokens

/// The user of a request. Only a verifier creates it.
public struct AuthenticatedUser: Sendable, Hashable {
  /// `sub`: the account's id. Compare it byte for byte, and store the user's data under this id,
  /// never under an email.
  public let uid: String

  /// The account's email address. Unless ``isEmailVerified``, it may be another person's address.
  public let email: String?
  public let isEmailVerified: Bool

  public let displayName: String?
  public let photoURL: String?
  public let phoneNumber: String?

  /// The provider of this sign-in, such as `apple.com`, `password`, `anonymous` or `custom`.
  public let signInProvider: String

  /// When the user last authenticated (`auth_time`), by the server's clock. A refresh doesn't
  /// change it. If the account's tokens were revoked since and the session continues, as after a
  /// new password, this is the time of the revocation.
  public let authenticatedAt: Date
  public let issuedAt: Date
  public let expiresAt: Date

  /// When the token was verified, by this machine's clock.
  public let verifiedAt: Date

  /// All claims of the token. Custom claims are at the top level.
  public let claims: Claims

  public var isAnonymous: Bool { signInProvider.hasSameBytes(as: "anonymous") }

  /// Whether the user authenticated at most `limit` seconds before the token was verified.
  public func hasSignedIn(within limit: TimeInterval) -> Bool {
    verifiedAt.timeIntervalSince(authenticatedAt) <= limit
  }

  /// Whether the account's id is `uid`, byte for byte. Swift's `==` also accepts texts that are
  /// only canonically equal.
  public func isUser(_ uid: String) -> Bool { self.uid.hasSameBytes(as: uid) }
}

extension AuthenticatedUser {
  /// - Throws: ``VerificationError/claim(_:)`` for an `auth_time` that is absent or in the future.
  init(_ token: VerifiedToken, now: Date, clockSkewSeconds: Int) throws(VerificationError) {
    let claims = token.claims
    guard let authenticatedAt = token.authenticatedAt,
      authenticatedAt.timeIntervalSince(now) <= Double(clockSkewSeconds)
    else { throw .claim("auth_time") }
    uid = token.subject
    // An account without an address can have a custom claim `email`, and one without a phone number a
    // custom claim `phone_number`. So such a claim counts only if the `firebase` claim lists its value.
    // `firebase` is a reserved name, which only the server sets.
    let identities = claims.object("firebase")?.object("identities")
    func own(_ claim: String, listedAs kind: String) -> String? {
      let listed = identities?.strings(kind) ?? []
      return claims.string(claim).flatMap { listed.containsBytes(of: $0) ? $0 : nil }
    }
    email = own("email", listedAs: "email")
    phoneNumber = own("phone_number", listedAs: "phone")
    isEmailVerified = email != nil && claims.bool("email_verified") == true
    displayName = claims.string("name")
    photoURL = claims.string("picture")
    signInProvider = claims.object("firebase")?.string("sign_in_provider") ?? ""
    self.authenticatedAt = authenticatedAt
    issuedAt = token.issuedAt
    expiresAt = token.expiresAt
    verifiedAt = now
    self.claims = claims
  }
}

extension AuthenticatedUser: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Only the id: email addresses don't belong in logs.
  public var description: String { "AuthenticatedUser(\(uid))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["uid": uid]) }
}
