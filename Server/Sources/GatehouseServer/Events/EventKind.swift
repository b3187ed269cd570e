/// What happened. The raw values are part of the webhooks' protocol and of the audit log: a
/// released value never changes.
package enum EventKind: String, Hashable, Sendable, CaseIterable {
  case accountCreated = "account.created"
  case linked = "account.linked"
  case unlinked = "account.unlinked"
  case passkeyAdded = "account.passkey_added"
  /// One or more passkeys were removed.
  case passkeyRemoved = "account.passkey_removed"
  /// An authenticator's counter didn't rise: another one may have a copy of the passkey. The sign-in was
  /// rejected.
  case passkeyCounterWentBack = "account.passkey_counter_went_back"
  /// A sign-in to an existing account on a device that is signed in to it already, or another
  /// verification of one of its identities.
  case reauthenticated = "account.reauthenticated"
  case signedInOnNewDevice = "account.signed_in_on_new_device"
  /// All sessions ended, and earlier tokens are rejected. With the details ``Event/takeover`` if the
  /// account was taken over.
  case tokensRevoked = "account.tokens_revoked"
  /// One or more sessions ended. Others may still be valid.
  case sessionEnded = "account.session_ended"
  case disabled = "account.disabled"
  case enabled = "account.enabled"
  case deletionScheduled = "account.deletion_scheduled"
  case deletionCancelled = "account.deletion_cancelled"
  case deleted = "account.deleted"
  case emailChanged = "account.email_changed"
  case emailVerified = "account.email_verified"
  case passwordChanged = "account.password_changed"
  case claimsChanged = "account.claims_changed"
  case profileChanged = "account.profile_changed"
  case secondFactorAdded = "account.second_factor_added"
  case secondFactorRemoved = "account.second_factor_removed"
  /// Replaced by new ones. With the detail `used`: one was used up.
  case recoveryCodesChanged = "account.recovery_codes_changed"
  case settingChanged = "setting.changed"

  /// Whether the event is about an account.
  package var isAboutAccount: Bool { self != .settingChanged }

  /// Whether apps that watch the account are told of the event. A sign-in on a known device changes nothing
  /// for the other devices.
  package var isWatched: Bool {
    switch self {
    case .accountCreated, .reauthenticated, .settingChanged: false
    default: true
    }
  }

  /// Whether sessions may have ended with the event.
  package var mayEndSessions: Bool {
    switch self {
    case .tokensRevoked, .sessionEnded, .disabled, .deletionScheduled, .deleted: true
    default: false
    }
  }
}
