/// The mails that the server sends to users.
package enum MailKind: String, Hashable, Sendable, CaseIterable {
  case verifyEmail, resetPassword
  /// A link that signs the user in.
  case signIn
  /// Sent to a new address. Its link makes it the address of the account.
  case verifyAndChangeEmail
  /// Sent to the old address after a change of the address. Its link undoes the change.
  case recoverEmail
  case passwordChanged
  /// The account has a new way to sign in.
  case providerLinked
  case passkeyAdded, passkeyRemoved
  case secondFactorAdded, secondFactorRemoved
  /// New recovery codes replace the earlier ones.
  case recoveryCodesCreated
  /// Somebody signed in with a recovery code in place of a second factor.
  case recoveryCodeUsed
  /// The account will be deleted, unless its user signs in before.
  case deletionScheduled
  case accountDeleted

  /// Whether the mail is useless without its link.
  package var hasLink: Bool {
    switch self {
    case .verifyEmail, .resetPassword, .signIn, .verifyAndChangeEmail, .recoverEmail: true
    case .passwordChanged, .providerLinked, .passkeyAdded, .passkeyRemoved, .secondFactorAdded,
      .secondFactorRemoved, .recoveryCodesCreated, .recoveryCodeUsed, .deletionScheduled,
      .accountDeleted:
      false
    }
  }

  /// The values that a template of this kind may contain.
  package var names: Set<MailName> {
    var names: Set<MailName> = [
      .appName, .email, .displayName, .logoURL, .termsURL, .privacyURL,
    ]
    if hasLink { names.formUnion([.link, .code, .expiry]) }
    switch self {
    case .verifyAndChangeEmail, .recoverEmail: names.insert(.newEmail)
    case .providerLinked: names.insert(.providerName)
    case .deletionScheduled: names.insert(.expiry)
    default: break
    }
    return names
  }
}

/// The names that a template can use, as `{{appName}}` or in Firebase's form, `%APP_NAME%`.
package enum MailName: String, Hashable, Sendable, CaseIterable {
  case link, code, email, newEmail, displayName, appName, providerName, expiry
  /// Of the project's ``BrandingPolicy``.
  case logoURL, termsURL, privacyURL

  /// Firebase's placeholder for the value; nil if Firebase has none. `%CODE%` is ours.
  package var placeholder: String? {
    switch self {
    case .link: "%LINK%"
    case .code: "%CODE%"
    case .email: "%EMAIL%"
    case .newEmail: "%NEW_EMAIL%"
    case .displayName: "%DISPLAY_NAME%"
    case .appName: "%APP_NAME%"
    case .providerName, .expiry, .logoURL, .termsURL, .privacyURL: nil
    }
  }
}
