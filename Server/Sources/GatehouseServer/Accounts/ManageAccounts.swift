package import Foundation
package import GatehouseProtocol

extension AccountsService {
  /// Creates an account as an administrator. No user is signed in.
  ///
  /// - Parameter uid: The id that the administrator chose; nil for a random one.
  /// - Throws: ``AccountsError/duplicateLocalID``, ``AccountsError/emailExists``,
  ///   ``AccountsError/phoneNumberExists``, ``AccountsError/identityLinkedElsewhere``,
  ///   ``AccountsError/weakPassword``, ``AccountsError/passwordTooLong``,
  ///   ``AccountsError/passwordRequirements(_:)``, ``AccountsError/overloaded``. An id, address or
  ///   number that is taken is reported before a fault of the password, as in Firebase's service.
  package func createAccount(
    uid: UID?, _ changes: AdministratorChanges, in project: Project, now: Date
  ) async throws -> Account {
    let hash = try await newHash(for: changes, in: project) { transaction in
      try transaction.refuseTaken(uid, in: project.id)
      try transaction.refuseTakenEmail(changes, of: nil, in: project.id)
      if case .set(let number) = changes.phoneNumber {
        try transaction.refuseTaken(phoneNumber: number, in: project.id)
      }
    }
    return try await store.write { transaction in
      try transaction.refuseTaken(uid, in: project.id)
      var account = Account(uid: uid ?? .random(), createdAt: now)
      try transaction.apply(changes, hash: hash, to: &account, in: project, now: now)
      try transaction.save(account, replacing: nil, in: project.id, now: now)
      return account
    }
  }

  /// Changes an account as an administrator.
  ///
  /// - Throws: ``AccountsError/userNotFound``, ``AccountsError/lastCredential``, and what
  ///   ``createAccount(uid:_:in:now:)`` throws except ``AccountsError/duplicateLocalID``. An address
  ///   that is taken is reported before a fault of the password.
  package func updateAccount(
    _ uid: UID, with changes: AdministratorChanges, in project: Project, now: Date
  ) async throws -> Account {
    // Checked before the password is checked and hashed, because hashing is costly.
    guard try await store.read({ try $0.account(uid, in: project.id) }) != nil else {
      throw AccountsError.userNotFound
    }
    let hash = try await newHash(for: changes, in: project) { transaction in
      try transaction.refuseTakenEmail(changes, of: uid, in: project.id)
    }
    return try await store.write { transaction in
      guard let before = try transaction.account(uid, in: project.id) else {
        throw AccountsError.userNotFound
      }
      var account = before
      let revokes = try transaction.apply(
        changes, hash: hash, to: &account, in: project, now: now)
      try transaction.endSessionsOfUnconfirmed(before, removedIn: account, in: project.id, now: now)
      if account.email != before.email {
        try transaction.releaseCodesOfFormerAddress(of: uid, in: project.id)
      }
      if revokes { try transaction.revokeEverything(of: &account, in: project.id, now: now) }
      if account.email != before.email {
        // The administrator decided whose account this is. No recovery code may undo the decision.
        try transaction.endEveryActionCode(of: uid, in: project.id)
      }
      if let validSince = changes.validSince {
        try transaction.revoke(&account, before: validSince, in: project.id, now: now)
      }
      try transaction.save(account, replacing: before, in: project.id, now: now)
      return account
    }
  }

  /// - Parameter refuseTaken: Throws if a value of the changes is taken. Called only if the password has
  ///   a fault or can't be hashed: its error is then thrown in place of that fault.
  private func newHash(
    for changes: AdministratorChanges, in project: Project,
    refuseTaken: @escaping @Sendable (Transaction) throws -> Void
  ) async throws -> PasswordHash? {
    guard case .set(let password) = changes.profile.password else { return nil }
    do {
      try password.checkAsNewPassword(under: project.policies)
      return try await passwords.hash(password)
    } catch let fault as AccountsError {
      try await store.read(refuseTaken)
      throw fault
    }
  }
}

extension Transaction {
  /// - Throws: ``AccountsError/duplicateLocalID`` if an account has the id.
  fileprivate func refuseTaken(_ uid: UID?, in project: ProjectID) throws {
    guard let uid, try account(uid, in: project) != nil else { return }
    throw AccountsError.duplicateLocalID
  }

  /// - Throws: ``AccountsError/phoneNumberExists`` if an account has the number.
  fileprivate func refuseTaken(phoneNumber: String, in project: ProjectID) throws {
    guard try account(phoneNumber: phoneNumber, in: project) != nil else { return }
    throw AccountsError.phoneNumberExists
  }

  /// - Throws: ``AccountsError/emailExists`` if the new address belongs to another account than `uid`.
  fileprivate func refuseTakenEmail(
    _ changes: AdministratorChanges, of uid: UID?, in project: ProjectID
  ) throws {
    guard case .set(let email) = changes.profile.email,
      let owner = try account(email: email, in: project), owner.uid != uid
    else { return }
    throw AccountsError.emailExists
  }

  /// Ends the sessions that began with a credential that was linked without a recent sign-in, never
  /// confirmed, and is now removed or replaced. A thief may have linked it. As in Firebase, other
  /// sessions continue when an administrator removes their credential.
  fileprivate func endSessionsOfUnconfirmed(
    _ before: Account, removedIn after: Account, in project: ProjectID, now: Date
  ) throws {
    for identity in before.identities where identity.unconfirmedSince != nil {
      guard after.identity(of: identity.provider)?.subject != identity.subject else { continue }
      try endSessions(
        begunBy: identity.provider, of: before, except: nil, in: project, now: now)
    }
    if before.phoneUnconfirmedSince != nil, after.phoneNumber != before.phoneNumber {
      try endSessions(begunBy: .phone, of: before, except: nil, in: project, now: now)
    }
  }

  @discardableResult
  fileprivate func apply(
    _ changes: AdministratorChanges, hash: PasswordHash?, to account: inout Account,
    in project: Project, now: Date
  ) throws -> Bool {
    let revokes = try apply(changes.profile, hash: hash, to: &account, in: project, now: now)
    switch changes.isEmailVerified {
    case true? where !account.isEmailVerified: account.verifyEmail(now: now)
    case false?: account.replaceEmail(by: account.email)
    case true?, nil: break
    }
    account.isDisabled = changes.isDisabled ?? account.isDisabled
    account.lastLoginAt = changes.lastLoginAt ?? account.lastLoginAt
    account.customClaims = changes.customClaims.applied(to: account.customClaims)
    let phoneNumber = changes.phoneNumber.applied(to: account.phoneNumber)
    if let phoneNumber, phoneNumber != account.phoneNumber {
      try refuseTaken(phoneNumber: phoneNumber, in: project.id)
    }
    if phoneNumber != account.phoneNumber {
      try detachPhoneNumber(of: account, in: project.id, now: now)
      account.removePhoneNumber()
      account.phoneNumber = phoneNumber
      if phoneNumber != nil { account.phoneLinkedAt = now.wholeMilliseconds }
    }
    // An administrator who sets the number confirms it.
    if !changes.phoneNumber.isKeep { account.phoneUnconfirmedSince = nil }
    if !changes.profile.displayName.isKeep { account.assignedFields.insert(.displayName) }
    if !changes.profile.photoURL.isKeep { account.assignedFields.insert(.photoURL) }
    if !changes.phoneNumber.isKeep { account.assignedFields.insert(.phoneNumber) }
    if let factors = changes.secondFactors { try account.assign(factors, now: now) }
    if let link = changes.link { try assign(link, to: &account, in: project.id, now: now) }
    return revokes
  }

  private func assign(
    _ assigned: AssignedIdentity, to account: inout Account, in project: ProjectID, now: Date
  ) throws {
    if let owner = try self.account(
      provider: assigned.provider, subject: assigned.subject, in: project),
      owner.uid != account.uid
    {
      throw AccountsError.identityLinkedElsewhere
    }
    if let old = account.identity(of: assigned.provider), old.subject != assigned.subject {
      try detach(old, in: project, now: now)
    }
    let issuer = try issuer(of: assigned, linkedTo: account, in: project)
    account.identities.removeAll { $0.provider == assigned.provider }
    account.identities.append(LinkedIdentity(assigned, issuer: issuer, linkedAt: now))
    try forgetTokensOfRemovedIdentities(of: account, in: project)
  }
}
