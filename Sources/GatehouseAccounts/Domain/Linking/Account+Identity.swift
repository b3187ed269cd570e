import Foundation
import GatehouseModel

extension Account {
  /// Adds the identity as a way into this account.
  mutating func add(_ identity: ExternalIdentity, now: Date) {
    var linked = LinkedIdentity(
      provider: identity.provider, subject: identity.subject, linkedAt: now)
    linked.learn(from: identity)
    identities.append(linked)
  }

  /// Adds an identity that a session of long ago links; see ``LinkedIdentity/unconfirmedSince``.
  mutating func addUnconfirmed(_ identity: ExternalIdentity, since: Date, now: Date) {
    add(identity, now: now)
    identities[identities.count - 1].unconfirmedSince = since.wholeMilliseconds
  }

  /// Confirms the identities and the number that sessions of long ago linked: somebody just signed in
  /// with another credential.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func confirmCredentials() -> Bool {
    guard
      phoneUnconfirmedSince != nil || identities.contains(where: { $0.unconfirmedSince != nil })
    else { return false }
    phoneUnconfirmedSince = nil
    for index in identities.indices { identities[index].unconfirmedSince = nil }
    return true
  }

  /// The time that a sign-in with the identity counts as made at.
  func authenticationTime(of identity: ExternalIdentity, verifiedAt: Date) -> Date {
    self.identity(of: identity.provider)?.unconfirmedSince.map { min($0, verifiedAt) } ?? verifiedAt
  }

  /// Takes over what the identity says anew. What it doesn't say erases nothing.
  ///
  /// - Returns: Whether anything changed, so that a returning sign-in need not write.
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

  /// A name or photo is taken where there is none: Apple tells the name once, and it may have been
  /// lost that time.
  @discardableResult
  mutating func fillEmptyProfile(from profile: ExternalIdentity.Profile) -> Bool {
    let before = (displayName, photoURL)
    if displayName?.isEmpty ?? true { displayName = profile.displayName ?? displayName }
    if photoURL?.isEmpty ?? true { photoURL = profile.photoURL ?? photoURL }
    return before != (displayName, photoURL)
  }

  /// How old ``emailVerifiedAt`` may be before a sign-in renews it. Seconds.
  private static let verificationRenewalSeconds: TimeInterval = 86_400

  /// The account's own address counts as verified once a linked identity proves the same one.
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

  /// Ends everything that somebody who never verified the address may have left behind. What an
  /// administrator set stays, custom claims among it: nobody else can set them, and an invited user
  /// comes for the account that was made for them.
  ///
  /// The sessions and codes, which are rows of their own, are the caller's to end in the same
  /// transaction.
  mutating func clearForTakeOver() {
    clearWaysIn()
    if !assignedFields.contains(.displayName) { displayName = nil }
    if !assignedFields.contains(.photoURL) { photoURL = nil }
  }

  /// Ends every way into the account that somebody who never verified the address may know.
  mutating func clearWaysIn() {
    removePassword()
    // Also one that an administrator set or imported: it may belong to the one who created the
    // account with another's address, and it signs in.
    removePhoneNumber()
    assignedFields.remove(.phoneNumber)
    identities = []
    isCustom = false
  }

  /// Signing in with a password and by a link in a mail are one provider to the protocol.
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
    // Apple judges at the first sign-in: what comes later, or doesn't, takes nothing back.
    realUserStatus = realUserStatus ?? identity.realUserStatus
  }
}
