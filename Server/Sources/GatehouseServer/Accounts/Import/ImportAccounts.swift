package import Foundation
import GatehouseProtocol

extension AccountsService {
  /// Imports accounts from another system, with ids and password hashes.
  ///
  /// Each account is imported or rejected separately. Accounts are written in the order given, a
  /// hundred per transaction, so that sign-ins can go on in between. If the import is interrupted,
  /// the accounts of earlier transactions stay imported. The import signs no user in.
  ///
  /// An account that is replaced loses its sessions and codes, and the kept tokens of identities that it
  /// no longer has. They aren't revoked at the provider. The tokens of identities that stay are kept. So are
  /// its consents: they record what its user agreed to, and permit nothing later.
  ///
  /// Plain-text passwords are hashed before the transaction, one after the other. With the standard
  /// parameters each takes about a tenth of a second.
  ///
  /// - Throws: ``AccountsError/tooManyPasswordKeys``, ``AccountsError/overloaded``.
  package func importAccounts(
    _ accounts: [ImportedAccount], _ options: ImportOptions, in project: Project, now: Date
  ) async throws -> ImportOutcome {
    var outcome = ImportOutcome()
    var start = 0
    while start < accounts.count {
      let batch = Array(accounts[start..<min(start + Self.importBatch, accounts.count)])
      let part = try await importBatch(batch, options, in: project.id, now: now)
      outcome.imported += part.imported
      outcome.kept += part.kept
      outcome.refusals += part.refusals.map { [start] in ($0.index + start, $0.refusal) }
      start += batch.count
    }
    return outcome
  }

  /// Writing this many accounts takes a few milliseconds.
  private static let importBatch = 100

  private func importBatch(
    _ accounts: [ImportedAccount], _ options: ImportOptions, in project: ProjectID, now: Date
  ) async throws -> ImportOutcome {
    var hashes: [Int: PasswordHash] = [:]
    for (index, account) in accounts.enumerated() {
      if let password = account.plainPassword {
        hashes[index] = try await passwords.hash(password)
      }
    }
    do {
      return try await store.write { [hashes] transaction in
        let outcome = try transaction.importAccounts(
          accounts, hashes, options, in: project, now: now)
        // The error undoes what the transaction wrote.
        if options.isTrial { throw Trial(outcome: outcome) }
        return outcome
      }
    } catch let trial as Trial {
      return trial.outcome
    }
  }

  private struct Trial: Error {
    let outcome: ImportOutcome
  }
}

extension Transaction {
  fileprivate func importAccounts(
    _ accounts: [ImportedAccount], _ hashes: [Int: PasswordHash], _ options: ImportOptions,
    in project: ProjectID, now: Date
  ) throws -> ImportOutcome {
    let keyID = try options.scheme?.key.map { try passwordKeyID(for: $0, in: project) }
    let parameters = options.scheme.map { StoredScheme($0.algorithm, keyID: keyID).parameters }
    var outcome = ImportOutcome()
    for (index, imported) in accounts.enumerated() {
      do {
        let existing = try account(imported.uid, in: project)
        if existing != nil, options.existing == .keep {
          outcome.kept += 1
          continue
        }
        if existing != nil, options.existing == .refuse { throw ImportRefusal.uidExists }
        try check(imported, options, in: project, now: now)
        let imports = parameters.flatMap { parameters in
          imported.password.map {
            PasswordHash(parameters: parameters, salt: $0.salt, digest: $0.digest)
          }
        }
        if var existing {
          try revokeEverything(of: &existing, in: project, now: now)
          try endEveryActionCode(of: existing.uid, in: project)
        }
        let identities = try imported.identities.map { identity in
          LinkedIdentity(
            identity, issuer: try issuer(of: identity, linkedTo: existing, in: project),
            linkedAt: now)
        }
        var account = Account(imported, hashes[index] ?? imports, identities, now: now)
        account.secondFactors = existing?.secondFactors
        account.passkeys = existing?.passkeys ?? PasskeyCount()
        if !imported.secondFactors.isEmpty {
          try account.assign(imported.secondFactors, now: now)
        }
        // The user deleted the account. The system from which it is imported may not know that.
        account.deletionScheduledFor = existing?.deletionScheduledFor
        // The import takes no custom token away, so a takeover must still know of them: see
        // ``TakeOverDecision/release``.
        account.isCustom = existing?.isCustom ?? false
        if let existing {
          account.keepSafeguards(of: existing, now: now)
          try save(account, replacing: existing, in: project, now: now)
          // Otherwise a later deletion would revoke the grant of an identity that the account lost, and
          // that may belong to another account by then.
          try forgetTokensOfRemovedIdentities(of: account, in: project)
        } else {
          // Records no event for each new account: a single event below is about all of them.
          try save(account, in: project)
        }
        outcome.imported += 1
      } catch let refusal as ImportRefusal {
        outcome.refusals.append((index, refusal))
      }
    }
    if outcome.imported > 0 {
      try record(
        .settingChanged, of: nil,
        details: ["what": "accounts", "change": "imported", "count": String(outcome.imported)],
        in: project, now: now)
    }
    return outcome
  }

  /// Checks everything for which the account could be rejected, before any of it is written.
  private func check(
    _ imported: ImportedAccount, _ options: ImportOptions, in project: ProjectID, now: Date
  ) throws {
    if let password = imported.password, imported.plainPassword == nil {
      guard let scheme = options.scheme else { throw ImportRefusal.noScheme }
      try scheme.check(password)
    }
    // Sessions that begin before this time would be older than the account, and so invalid.
    if let createdAt = imported.createdAt, createdAt > now { throw ImportRefusal.createdInFuture }
    if Set(imported.identities.map(\.provider)).count < imported.identities.count {
      throw ImportRefusal.twoIdentities
    }
    if let email = imported.email, let owner = try account(email: email, in: project),
      owner.uid != imported.uid
    {
      throw ImportRefusal.emailExists
    }
    if let number = imported.phoneNumber, let owner = try account(phoneNumber: number, in: project),
      owner.uid != imported.uid
    {
      throw ImportRefusal.phoneNumberExists
    }
    for identity in imported.identities {
      if let owner = try account(
        provider: identity.provider, subject: identity.subject, in: project),
        owner.uid != imported.uid
      {
        throw ImportRefusal.identityExists
      }
    }
  }

  /// The id of the key in the project; a new one if the project doesn't have the key yet.
  private func passwordKeyID(for key: Secret<[UInt8]>, in project: ProjectID) throws -> String {
    let known = try passwordKeys(of: project)
    if let same = known.first(where: { constantTimeEquals($0.key.reveal(), key.reveal()) }) {
      return same.id
    }
    guard known.count < PasswordKey.maximumPerProject else {
      throw AccountsError.tooManyPasswordKeys
    }
    var generator = SystemRandomNumberGenerator()
    let made = PasswordKey(
      id: SessionID(using: &generator).description, project: project, key: key)
    try save(made)
    return made.id
  }
}

extension PasswordKey {
  /// There are not more, because each import reads all of them.
  static let maximumPerProject = 64
}

extension Account {
  fileprivate init(
    _ imported: ImportedAccount, _ password: PasswordHash?, _ identities: [LinkedIdentity],
    now: Date
  ) {
    self.init(uid: imported.uid, createdAt: imported.createdAt ?? now)
    importedAt = now.wholeMilliseconds
    email = imported.email
    if imported.email != nil && imported.isEmailVerified { verifyEmail(now: now) }
    assignedFields = [.displayName, .photoURL, .phoneNumber]
    displayName = imported.displayName
    photoURL = imported.photoURL
    phoneNumber = imported.phoneNumber
    self.password = password
    hasEmailLink = imported.hasEmailLink && imported.email != nil
    passwordUpdatedAt = password == nil ? nil : now
    customClaims = imported.customClaims
    isDisabled = imported.isDisabled
    lastLoginAt = imported.lastLoginAt
    validSince = (imported.validSince ?? now).wholeSeconds
    self.identities = identities
  }
}

extension Account {
  /// What an import doesn't undo in the account that it replaces.
  fileprivate mutating func keepSafeguards(of existing: Account, now: Date) {
    // Revoked tokens stay revoked, whatever the imported time is.
    validSince = max(validSince, now.wholeSeconds)
    revokedAt = now.wholeMilliseconds
    // So do sessions at the system from which the account came.
    if !existing.hasSessionsElsewhere { importedAt = existing.importedAt }
    // A credential that an attacker may have linked doesn't count as confirmed because it was exported.
    for index in identities.indices {
      let same = existing.identity(of: identities[index].provider)
      if same?.subject == identities[index].subject {
        identities[index].unconfirmedSince = same?.unconfirmedSince
      }
    }
    if phoneNumber == existing.phoneNumber {
      phoneUnconfirmedSince = existing.phoneUnconfirmedSince
    }
  }
}
