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

  /// Takes over what the identity says anew. What it doesn't say erases nothing.
  ///
  /// - Returns: Whether anything changed, so that a returning sign-in need not write.
  @discardableResult
  mutating func learn(from identity: ExternalIdentity) -> Bool {
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
    let proved = proveEmail(by: identity)
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

  /// The account's own address counts as proven once a linked identity proves the same one.
  @discardableResult
  mutating func proveEmail(by identity: ExternalIdentity) -> Bool {
    guard !isEmailVerified, let proven = identity.email, proven.isProven, proven.address == email
    else { return false }
    isEmailVerified = true
    return true
  }

  /// Ends everything that somebody who never proved the address may have left behind.
  ///
  /// The sessions and codes, which are rows of their own, are the caller's to end in the same
  /// transaction.
  mutating func clearForTakeOver() {
    clearWaysIn()
    displayName = nil
    photoURL = nil
    customClaims = nil
  }

  /// Ends every way into the account that somebody who never proved the address may know.
  mutating func clearWaysIn() {
    removePassword()
    phoneNumber = nil
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
    email = identity.email?.address ?? email
    displayName = identity.profile.displayName ?? displayName
    photoURL = identity.profile.photoURL ?? photoURL
    screenName = identity.profile.screenName ?? screenName
    isPrivateEmail = identity.isPrivateEmail ?? isPrivateEmail
    // Apple judges at the first sign-in: what comes later, or doesn't, takes nothing back.
    realUserStatus = realUserStatus ?? identity.realUserStatus
  }
}
