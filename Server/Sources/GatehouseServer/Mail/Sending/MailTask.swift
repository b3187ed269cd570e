package import GatehouseProtocol

package import struct Foundation.Date

/// Send one email. The transaction that causes it stores it in the outbox.
package struct MailTask: Sendable {
  package struct Code: Sendable {
    /// SHA-256 of the code. The email isn't sent if the code can't be used any more.
    package let digest: [UInt8]
    /// Contains the code: anyone who has the link can use it.
    package let link: Secret<String>
    /// Six digits that can be used instead of the link; nil if there are none.
    package let digits: Secret<String>?
    package let digitsExpireAt: Date

    package init(
      digest: [UInt8], link: Secret<String>, digits: Secret<String>? = nil,
      digitsExpireAt: Date = .distantPast
    ) {
      self.digest = digest
      self.link = link
      self.digits = digits
      self.digitsExpireAt = digitsExpireAt
    }
  }

  /// What the email is about.
  package let kind: MailKind
  /// The address to which the email is sent.
  package let recipient: EmailAddress
  /// The account's address at the time of the request, or the address to sign in with. It differs
  /// from ``recipient`` only if ``recipient`` is a new address.
  package let email: EmailAddress
  /// For ``MailKind/verifyAndChangeEmail``, the address that replaces ``email`` when the code is used. For
  /// ``MailKind/recoverEmail``, the address that has replaced ``email``; nil if ``email`` was removed. Nil
  /// for all other emails.
  package let newEmail: EmailAddress?
  /// The account; nil if there is none yet.
  package let uid: UID?
  /// Nil for a notice.
  package let code: Code?
  /// The provider that a notice is about.
  package let provider: ProviderID?
  /// The language that the request named, then the account's, as BCP 47 tags. The email is in the first of
  /// these languages in which there is a text, or else in the project's language. Empty if neither is known.
  package let languages: [String]
  /// When the code expires, or a notice is no longer useful. The email isn't sent after that.
  package let expiresAt: Date
  /// Whether the code is void: it can't be used, and no email is sent. The task is stored nevertheless,
  /// so that a request for an unknown address takes as long as one for a known address.
  package let isVoid: Bool
}

extension MailTask {
  /// The languages of an email to an account.
  static func languages(named language: String?, of account: Account?) -> [String] {
    [language, account?.language].compactMap(\.self)
  }
}

extension MailKind {
  init(_ purpose: ActionCode.Purpose) {
    switch purpose {
    case .passwordReset: self = .resetPassword
    case .emailVerification: self = .verifyEmail
    case .emailSignIn: self = .signIn
    case .emailChange: self = .verifyAndChangeEmail
    case .emailRecovery: self = .recoverEmail
    }
  }
}
