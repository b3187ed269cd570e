package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// The account with this email, in any project.
  package func serviceAccount(_ email: EmailAddress) throws -> ServiceAccount? {
    let found = try connection.first(ServiceAccountSQL.account, .text(email.text)) { row in
      (key: row.integer(0), account: try Self.serviceAccount(row))
    }
    guard let (key, account) = found else { return nil }
    var complete = account
    complete.keys = try serviceAccountKeys(of: key)
    return complete
  }

  /// In the order of their emails.
  package func serviceAccounts(of project: ProjectID) throws -> [ServiceAccount] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(ServiceAccountSQL.emails, .integer(key)) {
      try $0.value(0, "service account's email", EmailAddress.init)
    }.compactMap { try serviceAccount($0) }
  }

  /// Writes the account. If one with its email exists, its roles and keys are replaced. The access
  /// tokens of a key that it had before and still has stay. Increases ``Store/changeCounter()``.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `serviceAccount` if another project has the email.
  package func save(_ account: ServiceAccount) throws {
    let former = try serviceAccount(account.email)?.keys ?? []
    let added = account.keys.filter { new in
      former.first { $0.id.hasSameBytes(as: new.id) }.map { new.isValidLonger(than: $0) } ?? true
    }
    try changeServiceAccount(
      account.email,
      // `ServiceAccounts.keys(addedBy:)` reads this.
      details: added.isEmpty ? [:] : ["added": added.map(\.id).joined(separator: " ")]
    ) {
      let count = try connection.change(
        ServiceAccountSQL.save, .text(account.email.text),
        .integer(try existingKey(of: account.project)),
        .flag(account.roles.contains(.customTokens)), .flag(account.roles.contains(.admin)),
        .time(account.createdAt))
      // The row belongs to another project, and the statement didn't change it.
      guard count == 1, let key = try serviceAccountKey(account.email) else {
        throw StoreError.conflict(.serviceAccount)
      }
      let kept = account.keys.map(\.id)
      for old in former where !kept.containsBytes(of: old.id) {
        try connection.run(ServiceAccountSQL.deleteKey, .integer(key), .text(old.id))
      }
      for new in account.keys {
        try connection.run(
          ServiceAccountSQL.saveKey, .integer(key), .text(new.id), .blob(new.spkiDER),
          .time(new.createdAt), .optional(new.expiresAt))
      }
    }
  }

  /// Removes the account and all rows that depend on it; false if there is none. Increases
  /// ``Store/changeCounter()``.
  package func deleteServiceAccount(_ email: EmailAddress) throws -> Bool {
    try changeServiceAccount(email) {
      try connection.change(ServiceAccountSQL.delete, .text(email.text)) > 0
    }
  }

  private func changeServiceAccount<Value>(
    _ email: EmailAddress, details: [String: String] = [:], _ change: () throws -> Value
  ) throws -> Value {
    try changeSetting(
      SettingName("service account", email.text), in: nil, details: details,
      reading: { try serviceAccount(email) }, change)
  }

  /// Stores an access token. It is removed with its key.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` if the account has no such key.
  package func insert(_ token: AccessTokenRecord) throws {
    guard let key = try serviceAccountKey(token.account) else {
      throw StoreError.conflict(.serviceAccount)
    }
    try connection.run(
      ServiceAccountSQL.insertAccessToken, .blob(token.digest), .integer(key),
      .text(token.keyID), .time(token.expiresAt))
  }

  package func accessToken(digest: [UInt8]) throws -> AccessTokenRecord? {
    try connection.first(ServiceAccountSQL.accessToken, .blob(digest)) { row in
      AccessTokenRecord(
        digest: digest, account: try row.value(0, "service account's email", EmailAddress.init),
        keyID: try row.text(1), expiresAt: row.time(2))
    }
  }

  /// Removes the access tokens that expire first, until the account has at most `count`.
  package func trimAccessTokens(of account: EmailAddress, keeping count: Int) throws {
    guard let key = try serviceAccountKey(account) else { return }
    let live = try connection.first(ServiceAccountSQL.countAccessTokens, .integer(key)) {
      $0.integer(0)
    }
    guard let live, live > count else { return }
    try connection.run(
      ServiceAccountSQL.trimAccessTokens, .integer(key), .integer(Int64(max(count, 0))))
  }

  /// Removes at most `limit` expired access tokens; returns how many were removed.
  package func sweepAccessTokens(now: Date, limit: Int) throws -> Int {
    try connection.change(
      ServiceAccountSQL.sweepAccessTokens, .time(now), .integer(Int64(max(limit, 0))))
  }

  private func serviceAccountKey(_ email: EmailAddress) throws -> Int64? {
    try connection.first(ServiceAccountSQL.accountKey, .text(email.text)) { $0.integer(0) }
  }

  private func serviceAccountKeys(of account: Int64) throws -> [ServiceAccount.Key] {
    try connection.all(ServiceAccountSQL.keys, .integer(account)) { row in
      ServiceAccount.Key(
        id: try row.text(0), spkiDER: row.blob(1), createdAt: row.time(2),
        expiresAt: row.optionalTime(3))
    }
  }

  /// Reads the columns of ``ServiceAccountSQL/account``.
  private static func serviceAccount(_ row: SQLRow) throws -> ServiceAccount {
    var roles: Set<ServiceAccount.Role> = []
    if row.flag(3) { roles.insert(.customTokens) }
    if row.flag(4) { roles.insert(.admin) }
    return ServiceAccount(
      email: try row.value(1, "service account's email", EmailAddress.init),
      project: try row.value(2, "project's id", ProjectID.init), roles: roles,
      createdAt: row.time(5))
  }
}

/// An access token of a service account, stored as a hash.
package struct AccessTokenRecord: Hashable, Sendable {
  /// SHA-256 of the whole token.
  package let digest: [UInt8]
  package let account: EmailAddress
  /// The key that signed the assertion for which the token was issued.
  package let keyID: String
  package let expiresAt: Date

  package init(digest: [UInt8], account: EmailAddress, keyID: String, expiresAt: Date) {
    self.digest = digest
    self.account = account
    self.keyID = keyID
    self.expiresAt = expiresAt
  }
}
