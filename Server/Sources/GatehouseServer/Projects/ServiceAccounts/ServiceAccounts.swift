package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// Creates and changes service accounts. `VerifyAssertion.swift` verifies the tokens that they sign.
package struct ServiceAccounts: Sendable {
  let store: any Store

  package init(store: any Store) { self.store = store }

  /// - Parameter key: Nil for an account that gets its keys later.
  /// - Throws: ``ServiceAccountError/exists``, ``ServiceAccountError/tooManyAccounts``.
  package func create(
    _ email: EmailAddress, in project: ProjectID, roles: Set<ServiceAccount.Role>,
    key: PublicKey?, now: Date
  ) async throws -> ServiceAccount {
    try await store.write { transaction in
      guard try transaction.serviceAccount(email) == nil else { throw ServiceAccountError.exists }
      var account = try transaction.newServiceAccount(email, in: project, roles: roles, now: now)
      if let key { try account.add(key, now: now) }
      try transaction.save(account)
      return account
    }
  }

  /// Adds a key that was sent over the network. If the account doesn't exist, it is created with the
  /// role `customTokens` only.
  ///
  /// Accounts with the role `admin` are not changed: a caller with an access token for an hour must not
  /// become an administrator permanently.
  ///
  /// - Throws: ``ServiceAccountError/otherProject``, ``ServiceAccountError/administrator``,
  ///   ``ServiceAccountError/tooManyKeys``, ``ServiceAccountError/tooManyAccounts``.
  package func upload(
    _ key: PublicKey, to email: EmailAddress, in project: ProjectID, now: Date
  ) async throws -> ServiceAccount.Key {
    try await store.write { transaction in
      var account =
        try transaction.serviceAccount(email)
        ?? transaction.newServiceAccount(email, in: project, roles: [.customTokens], now: now)
      guard account.project == project else { throw ServiceAccountError.otherProject }
      guard !account.roles.contains(.admin) else { throw ServiceAccountError.administrator }
      let added = try account.add(key, now: now)
      try transaction.save(account)
      return added
    }
  }

  package func list(in project: ProjectID) async throws -> [ServiceAccount] {
    try await store.read { try $0.serviceAccounts(of: project) }
  }

  /// Changes an account in one transaction.
  ///
  /// - Throws: ``ServiceAccountError/unknown``, and what `change` throws.
  package func update(
    _ email: EmailAddress, in project: ProjectID,
    _ change: @escaping @Sendable (inout ServiceAccount) throws -> Void
  ) async throws -> ServiceAccount {
    try await store.write { transaction in
      var account = try transaction.serviceAccount(email, in: project)
      try change(&account)
      try transaction.save(account)
      return account
    }
  }

  /// Adds a key. The account may have any role.
  ///
  /// - Throws: ``ServiceAccountError/unknown``, ``ServiceAccountError/tooManyKeys``.
  package func add(
    _ key: PublicKey, to email: EmailAddress, in project: ProjectID, now: Date
  ) async throws -> ServiceAccount.Key {
    try await store.write { transaction in
      var account = try transaction.serviceAccount(email, in: project)
      let added = try account.add(key, now: now)
      try transaction.save(account)
      return added
    }
  }

  /// Deletes a key and the access tokens that were issued for its assertions. False if the account
  /// has no key with this id.
  ///
  /// - Throws: ``ServiceAccountError/unknown``.
  package func deleteKey(
    _ id: String, of email: EmailAddress, in project: ProjectID
  ) async throws -> Bool {
    try await store.write { transaction in
      var account = try transaction.serviceAccount(email, in: project)
      let count = account.keys.count
      account.keys.removeAll { $0.id.hasSameBytes(as: id) }
      guard account.keys.count < count else { return false }
      try transaction.save(account)
      return true
    }
  }

  /// The keys that an administrator added, by the event log, and that still exist. The administrator may
  /// have been deleted. A key counts as added also if the administrator let an existing one expire later,
  /// or never: an administrator could otherwise make the expired key of another one valid again, and it
  /// would stay valid when everything is deleted that this administrator added.
  ///
  /// - Parameter administrator: The name of a service account or of an administrator's key, as the event
  ///   log shows it.
  package func keys(
    addedBy administrator: String
  ) async throws -> [(account: EmailAddress, key: String)] {
    var found: [(account: EmailAddress, key: String)] = []
    try await EventLog(store: store).forEach(of: nil) { link in
      let event = link.event
      guard event.kind == .settingChanged, event.details["what"] == "service account",
        event.actor.isAdministrator(named: administrator),
        let account = event.details["name"].flatMap({ EmailAddress($0) })
      else { return }
      let keys = event.details["added"]?.split(separator: " ").map(String.init) ?? []
      for key in keys where !found.contains(where: { $0.account == account && $0.key == key }) {
        found.append((account, key))
      }
    }
    let candidates = found
    return try await store.read { transaction in
      try candidates.filter { account, key in
        try transaction.serviceAccount(account)?.keys.contains { $0.id.hasSameBytes(as: key) }
          ?? false
      }
    }
  }

  /// Deletes the account, its keys and its access tokens.
  ///
  /// - Throws: ``ServiceAccountError/unknown``.
  package func delete(_ email: EmailAddress, in project: ProjectID) async throws {
    try await store.write { transaction in
      _ = try transaction.serviceAccount(email, in: project)
      _ = try transaction.deleteServiceAccount(email)
    }
  }
}

/// A checked public key, with its expiry.
package struct PublicKey: Sendable {
  let key: VerificationKey
  let expiresAt: Date?

  /// - Parameters:
  ///   - spkiDER: SubjectPublicKeyInfo, DER.
  ///   - expiresAt: When its certificate expires, if the key came in one.
  /// - Throws: `PublicKeyError` of `GatehouseTokens`.
  package init(spkiDER: [UInt8], expiresAt: Date? = nil) throws(PublicKeyError) {
    key = try VerificationKey(spkiDER: spkiDER)
    self.expiresAt = expiresAt
  }
}

extension ServiceAccount {
  /// Adds a key. If the account already has the key, only the key's expiry changes. A later expiry, or none,
  /// is recorded as an addition: see ``ServiceAccounts/keys(addedBy:)``.
  ///
  /// - Throws: ``ServiceAccountError/tooManyKeys``.
  @discardableResult
  fileprivate mutating func add(_ key: PublicKey, now: Date) throws -> Key {
    guard let id = key.key.keyID, let spkiDER = key.key.spkiDER else {
      throw ServiceAccountError.unknown
    }
    if let index = keys.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
      keys[index].expiresAt = key.expiresAt
      return keys[index]
    }
    guard keys.count < Self.maximumKeys else { throw ServiceAccountError.tooManyKeys }
    let added = Key(id: id, spkiDER: spkiDER, createdAt: now, expiresAt: key.expiresAt)
    keys.append(added)
    return added
  }
}

extension Transaction {
  /// - Throws: ``ServiceAccountError/unknown`` if the project has no such account.
  package func serviceAccount(
    _ email: EmailAddress, in project: ProjectID
  ) throws -> ServiceAccount {
    guard let account = try serviceAccount(email), account.project == project else {
      throw ServiceAccountError.unknown
    }
    return account
  }

  fileprivate func newServiceAccount(
    _ email: EmailAddress, in project: ProjectID, roles: Set<ServiceAccount.Role>, now: Date
  ) throws -> ServiceAccount {
    guard try serviceAccounts(of: project).count < ServiceAccount.maximumPerProject else {
      throw ServiceAccountError.tooManyAccounts
    }
    return ServiceAccount(email: email, project: project, roles: roles, createdAt: now)
  }
}

/// Why a service account isn't changed. `==` compares everything.
package enum ServiceAccountError: Error, Hashable, Sendable {
  case unknown
  case exists
  /// An account of another project has the email.
  case otherProject
  /// The account has the role `admin`: its keys can be changed only on the command line.
  case administrator
  /// The account already has ``ServiceAccount/maximumKeys`` keys.
  case tooManyKeys
  /// The project already has ``ServiceAccount/maximumPerProject`` accounts.
  case tooManyAccounts
}

extension ServiceAccountError: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .unknown: .notFound("There is no such service account.")
    case .exists: .alreadyExists("The service account already exists.")
    case .otherProject:
      .permissionDenied("The service account's email belongs to another project.")
    case .administrator:
      .permissionDenied(
        "The service account is an administrator: change its keys with the command "
          + "`gatehouse service-accounts keys`.")
    case .tooManyKeys:
      .invalidArgument(
        "A service account has at most \(ServiceAccount.maximumKeys) keys: delete one first.")
    case .tooManyAccounts:
      .invalidArgument(
        "A project has at most \(ServiceAccount.maximumPerProject) service accounts.")
    }
  }
}
