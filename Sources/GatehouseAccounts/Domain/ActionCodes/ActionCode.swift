import Crypto
package import Foundation
package import GatehouseModel
import GatehouseTokens

/// A code that is sent to an email address: whoever presents it reads the mail there.
///
/// As it is stored. The code itself isn't in it, only its SHA-256: it has 256 random bits, so a slow
/// hash would add nothing, and looking it up by its hash tells nothing of it.
package struct ActionCode: Sendable {
  package let digest: [UInt8]
  package let purpose: Purpose
  /// The account that it changes. Of a sign-in the one that had the address when the code was made;
  /// nil where there was none, and the sign-in may create one.
  package let uid: UID?
  /// The account's address at that time. For ``Purpose/emailSignIn`` the one to sign in with, for
  /// ``Purpose/emailRecovery`` the one to go back to.
  package let email: EmailAddress
  /// The address that ``Purpose/emailChange`` leads to.
  package let newEmail: EmailAddress?
  /// It opens nothing: made so that an unknown address gets the same answer at the same cost, or
  /// replaced by a newer code.
  package let isVoid: Bool
  package let createdAt: Date
  package let expiresAt: Date
  /// For ``Purpose/emailRecovery``: when the address was last under its holder's control. What was
  /// added to the account since goes with the recovery. Nil: not known.
  package let verifiedAt: Date?
  /// The link with the code in it, sealed at rest. Kept in `--dev` alone, to be listed there.
  package let link: Secret<String>?

  package enum Purpose: String, Hashable, Sendable, CaseIterable {
    case passwordReset, emailVerification, emailSignIn, emailChange, emailRecovery

    /// What the hosted service's codes live, as its developers told it (it isn't documented): an
    /// hour for a password, six for a sign-in, three days for the rest.
    package var lifetimeSeconds: TimeInterval {
      switch self {
      case .passwordReset: 3600
      case .emailSignIn: 6 * 3600
      case .emailVerification, .emailChange, .emailRecovery: 72 * 3600
      }
    }
  }

  /// So long an expired code is remembered, to be called expired and not unknown. Seconds.
  package static let rememberedSeconds: TimeInterval = 86_400
  /// So many unused codes of one purpose may live, for one address and for one account.
  package static let maximumLive = 10

  package init(
    digest: [UInt8], purpose: Purpose, uid: UID?, email: EmailAddress,
    newEmail: EmailAddress? = nil, isVoid: Bool = false, createdAt: Date, expiresAt: Date,
    verifiedAt: Date? = nil, link: Secret<String>? = nil
  ) {
    self.digest = digest
    self.purpose = purpose
    self.uid = uid
    self.email = email
    self.newEmail = newEmail
    self.isVoid = isVoid
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.verifiedAt = verifiedAt
    self.link = link
  }

  /// The address that the code is sent to.
  package var recipient: EmailAddress { newEmail ?? email }

  /// Nil for a text that is longer than any code.
  static func digest(of text: String) -> [UInt8]? {
    guard text.utf8.count <= 128 else { return nil }
    return Array(SHA256.hash(data: Data(text.utf8)))
  }

  static func randomText() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode(
      (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
