import Crypto
package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// A code that is sent to an email address. A user who presents the code has shown that they can
/// read mail there.
///
/// This is the stored record. It contains only the code's SHA-256, not the code. The code has 256
/// random bits, so a slow hash would add nothing, and a lookup by the hash reveals nothing about
/// it.
package struct ActionCode: Sendable {
  package let digest: [UInt8]
  package let purpose: Purpose
  /// The account that the code changes. For a sign-in: the account that had the address when the
  /// code was created, or nil if there was none; the sign-in may then create one. For a password reset or a
  /// verification: nil if the account has given up the address since, or, in a void code, if none had it.
  package let uid: UID?
  /// The account's address when the code was created. For ``Purpose/emailSignIn`` the address to
  /// sign in with; for ``Purpose/emailRecovery`` the address that the recovery restores.
  package let email: EmailAddress
  /// The account's new address after ``Purpose/emailChange``.
  package let newEmail: EmailAddress?
  /// The code cannot be used. Either it was created only so that the responses for known and unknown
  /// addresses are alike and cost the same, or a newer code replaced it.
  package let isVoid: Bool
  package let createdAt: Date
  package let expiresAt: Date
  /// For ``Purpose/emailRecovery``: when the address was last verified. The recovery removes the
  /// credentials that were added to the account since. Nil: unknown.
  package let verifiedAt: Date?
  /// The session of the six digits that can be used in place of the code; nil if there are none.
  package let session: VerificationSession?
  /// The link that contains the code, encrypted at rest. Stored only with `--dev`, where developers
  /// can list codes.
  package let link: Secret<String>?

  package enum Purpose: String, Hashable, Sendable, CaseIterable {
    case passwordReset, emailVerification, emailSignIn, emailChange, emailRecovery

    /// The lifetimes of Firebase's codes, as its developers stated them (they aren't documented):
    /// one hour for a password reset, six hours for a sign-in, three days for the others.
    package var lifetimeSeconds: TimeInterval {
      switch self {
      case .passwordReset: 3600
      case .emailSignIn: 6 * 3600
      case .emailVerification, .emailChange, .emailRecovery: 72 * 3600
      }
    }
  }

  /// How long the six digits can be used. Seconds. They expire before the link, because they can be
  /// guessed. The email says ten minutes; the other five are for its delivery.
  package static let digitsLifetimeSeconds: TimeInterval = 15 * 60
  /// How long an expired code is kept, so that it is reported as expired and not as unknown.
  /// Seconds.
  package static let rememberedSeconds: TimeInterval = 86_400
  /// The maximum number of codes of one purpose that are neither used nor expired, void ones
  /// included, for one address and for one account.
  package static let maximumLive = 10

  package init(
    digest: [UInt8], purpose: Purpose, uid: UID?, email: EmailAddress,
    newEmail: EmailAddress? = nil, isVoid: Bool = false, createdAt: Date, expiresAt: Date,
    verifiedAt: Date? = nil, session: VerificationSession? = nil, link: Secret<String>? = nil
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
    self.session = session
    self.link = link
  }

  /// Whether the account gave up the address to which the code was sent. Then the code can change no
  /// account.
  package var isReleased: Bool {
    switch purpose {
    case .passwordReset, .emailVerification: uid == nil && !isVoid
    case .emailSignIn, .emailChange, .emailRecovery: false
    }
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
    return Base64URL.encode(generator.bytes(32))
  }
}
