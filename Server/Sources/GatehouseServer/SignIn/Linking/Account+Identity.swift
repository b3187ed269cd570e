import Foundation
import GatehouseProtocol

extension Account {
  /// Links the identity to this account.
  mutating func add(_ identity: ExternalIdentity, now: Date) {
    var linked = LinkedIdentity(
      provider: identity.provider, subject: identity.subject, linkedAt: now)
    linked.learn(from: identity)
    identities.append(linked)
  }

  /// Links an identity without a recent sign-in; see ``LinkedIdentity/unconfirmedSince``.
  mutating func addUnconfirmed(_ identity: ExternalIdentity, since: Date, now: Date) {
    add(identity, now: now)
    identities[identities.count - 1].unconfirmedSince = since.wholeMilliseconds
  }

  /// The account without the identities and the number that were linked without a recent sign-in and never
  /// confirmed.
  var withoutUnconfirmedCredentials: Account {
    var account = self
    account.identities.removeAll { $0.unconfirmedSince != nil }
    if account.phoneUnconfirmedSince != nil { account.removePhoneNumber() }
    account.removeUnconfirmedPasskeys()
    return account
  }

  /// Confirms the identities and the number that were linked without a recent sign-in. Call it when
  /// the user has signed in with another credential.
  ///
  /// - Returns: Whether anything was unconfirmed.
  @discardableResult
  mutating func confirmCredentials() -> Bool {
    guard
      phoneUnconfirmedSince != nil || passkeys.unconfirmed > 0
        || identities.contains(where: { $0.unconfirmedSince != nil })
    else { return false }
    phoneUnconfirmedSince = nil
    passkeys.unconfirmed = 0
    for index in identities.indices { identities[index].unconfirmedSince = nil }
    return true
  }

  /// Whether a sign-in with the provider is one with a credential that was linked without a recent sign-in.
  func hasUnconfirmed(_ provider: ProviderID) -> Bool {
    switch provider {
    case .phone: phoneUnconfirmedSince != nil
    // A sign-in with a confirmed passkey confirms the others.
    case .passkey: passkeys.unconfirmed > 0
    default: identity(of: provider)?.unconfirmedSince != nil
    }
  }

  /// The authentication time of a sign-in with the identity.
  func authenticationTime(of identity: ExternalIdentity, verifiedAt: Date) -> Date {
    self.identity(of: identity.provider)?.unconfirmedSince.map { min($0, verifiedAt) } ?? verifiedAt
  }

  /// Stores what the identity's token reports. A value that the token lacks doesn't erase a stored
  /// one.
  ///
  /// - Returns: Whether anything changed. If not, the account need not be written.
  @discardableResult
  mutating func learn(from identity: ExternalIdentity, now: Date) -> Bool {
    guard
      let index = identities.firstIndex(where: {
        $0.provider == identity.provider && $0.subject == identity.subject
      })
    else { return false }
    var linked = identities[index]
    linked.learn(from: identity)
    let changed = linked != identities[index]
    identities[index] = linked
    let filled = fillEmptyProfile(from: identity.profile)
    let proved = verifyEmail(by: identity, now: now)
    return changed || filled || proved
  }

  /// Sets a name or photo that the account lacks. Apple sends the name only once, so it may have
  /// been lost at an earlier sign-in.
  @discardableResult
  mutating func fillEmptyProfile(from profile: ExternalIdentity.Profile) -> Bool {
    let before = (displayName, photoURL)
    if displayName?.isEmpty ?? true { displayName = profile.displayName ?? displayName }
    if photoURL?.isEmpty ?? true { photoURL = profile.photoURL ?? photoURL }
    return before != (displayName, photoURL)
  }

  /// How old ``emailVerifiedAt`` may be before a sign-in renews it. Seconds.
  private static let verificationRenewalSeconds: TimeInterval = 86_400

  /// The account's own address becomes verified if the identity verifies the same address.
  ///
  /// - Returns: Whether the account changed. It changes too if only ``emailVerifiedAt`` is renewed.
  @discardableResult
  mutating func verifyEmail(by identity: ExternalIdentity, now: Date) -> Bool {
    guard let asserted = identity.email, asserted.isVerifiedAndTrusted, asserted.address == email
    else {
      return false
    }
    if isEmailVerified, let emailVerifiedAt,
      now.timeIntervalSince(emailVerifiedAt) < Self.verificationRenewalSeconds
    {
      return false
    }
    verifyEmail(now: now)
    return true
  }

  /// Unlinks the identity, with the name and photo that came from it. A name or photo that an
  /// administrator set stays.
  mutating func remove(_ identity: LinkedIdentity) {
    identities.removeAll { $0.provider == identity.provider }
    if !assignedFields.contains(.displayName), let name = displayName,
      identity.displayName?.hasSameBytes(as: name) == true
    {
      displayName = nil
    }
    if !assignedFields.contains(.photoURL), let photo = photoURL,
      identity.photoURL?.hasSameBytes(as: photo) == true
    {
      photoURL = nil
    }
  }

  /// Removes everything that a user who never verified the address may have left in the account:
  /// all credentials and second factors, and the name and photo. A name or photo that an administrator set stays:
  /// an invited user expects the account that was created for them. Custom claims stay too, because
  /// only administrators and blocking functions can set them.
  ///
  /// The caller must end the sessions and codes and delete the consents, which are separate rows, in the
  /// same transaction.
  ///
  /// - Parameter keepsProfile: Whether every name and photo stays, also one that the user set.
  mutating func clearForTakeOver(keepingProfile keepsProfile: Bool) {
    removePassword()
    // Also removes a number that an administrator set or imported: the number is a credential, and
    // may belong to the user who created the account with another user's address.
    removePhoneNumber()
    assignedFields.remove(.phoneNumber)
    identities = []
    secondFactors = nil
    passkeys = PasskeyCount()
    isCustom = false
    initialEmail = nil
    if keepsProfile { return }
    if !assignedFields.contains(.displayName) { displayName = nil }
    if !assignedFields.contains(.photoURL) { photoURL = nil }
  }

  mutating func removeUnconfirmedPasskeys() {
    passkeys.all -= passkeys.unconfirmed
    passkeys.unconfirmed = 0
  }

  /// Removes the sign-in by email link too: in the protocol, both have the provider `password`.
  mutating func removePassword() {
    password = nil
    passwordUpdatedAt = nil
    hasEmailLink = false
  }
}

extension LinkedIdentity {
  mutating func learn(from identity: ExternalIdentity) {
    issuer = issuer ?? identity.issuer
    email = identity.email?.address ?? email
    displayName = identity.profile.displayName ?? displayName
    photoURL = identity.profile.photoURL ?? photoURL
    screenName = identity.profile.screenName ?? screenName
    isPrivateEmail = identity.isPrivateEmail ?? isPrivateEmail
    // Apple sends the status at the first sign-in. A later value, or none, doesn't replace it. An app's
    // value gives way to a signed one.
    realUserStatus = realUserStatus ?? identity.realUserStatus
    realUserStatusFromApp =
      realUserStatus == nil ? realUserStatusFromApp ?? identity.realUserStatusFromApp : nil
    // The provider signs a user in only with the user's consent.
    consentRevokedAt = nil
  }
}
