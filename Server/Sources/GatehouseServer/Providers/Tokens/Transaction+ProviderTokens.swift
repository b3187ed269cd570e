package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// Stores the token, in place of the account's earlier one of the same provider and client.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if there is no such account.
  package func save(_ token: ProviderToken, in project: ProjectID) throws {
    guard let account = try accountKey(token.uid, in: project) else {
      throw StoreError.damaged("a provider token's account doesn't exist")
    }
    try connection.run(
      ProviderTokenSQL.save,
      [.integer(try existingKey(of: project)), .integer(account)]
        + ProviderTokenColumn.allCases.map { try value($0, of: token, in: project) })
  }

  private func value(
    _ column: ProviderTokenColumn, of token: ProviderToken, in project: ProjectID
  ) throws -> SQLValue {
    switch column {
    case .provider: .text(token.provider.text)
    case .clientID: .text(token.clientID)
    case .subject: .text(token.subject.text)
    case .token:
      .optional(
        try sealed(
          token.token, Self.place(of: token.uid.text, token.provider, token.clientID, in: project)))
    case .codeDigest: .optional(token.codeDigest)
    case .obtainedAt: .time(token.obtainedAt)
    case .checkedAt: .time(token.checkedAt)
    }
  }

  /// The account's tokens, without those that can't be read. Empty for an account that doesn't exist.
  package func providerTokens(of uid: UID, in project: ProjectID) throws -> [ProviderToken] {
    guard let account = try accountKey(uid, in: project) else { return [] }
    return try connection.all(ProviderTokenSQL.ofAccount, .integer(account)) { row in
      try readable { try providerToken(row, in: project) }
    }.compactMap(\.self)
  }

  /// Deletes the account's tokens of the provider.
  package func deleteProviderTokens(
    of uid: UID, provider: ProviderID, in project: ProjectID
  ) throws {
    guard let account = try accountKey(uid, in: project) else { return }
    try connection.run(ProviderTokenSQL.delete, .integer(account), .text(provider.text))
  }

  /// Deletes the account's tokens of the provider that were obtained at `date` or before.
  package func deleteProviderTokens(
    of uid: UID, provider: ProviderID, obtainedUntil date: Date, in project: ProjectID
  ) throws {
    guard let account = try accountKey(uid, in: project) else { return }
    try connection.run(
      ProviderTokenSQL.deleteOld, .integer(account), .text(provider.text), .time(date))
  }

  /// Deletes the token, unless the account got another one of the same provider and client.
  ///
  /// - Returns: False if this token isn't stored any more.
  package func deleteProviderToken(_ token: ProviderToken, in project: ProjectID) throws -> Bool {
    guard let account = try accountKey(token.uid, in: project) else { return false }
    return try connection.change(
      ProviderTokenSQL.deleteOne, .integer(account), .text(token.provider.text),
      .text(token.clientID), .time(token.obtainedAt)) > 0
  }

  /// Claims at most `limit` tokens of the provider, in all projects, that were last checked before
  /// `date`. Those that wait longest come first. Stores `now` as the time of their check, so that no
  /// other caller gets them. Returns them as they were before. Those that can't be read are left out.
  package func claimProviderTokens(
    of provider: ProviderID, checkedBefore date: Date, now: Date, limit: Int
  ) throws -> [(project: ProjectID, token: ProviderToken)] {
    let found = try connection.all(
      ProviderTokenSQL.unchecked, .text(provider.text), .time(date),
      .integer(Int64(max(limit, 0)))
    ) { row in
      let count = ProviderTokenColumn.allCases.count
      let project = try row.value(count + 2, "project's id", ProjectID.init)
      return (
        position: row.integer(count + 1), project: project,
        token: try readable { try providerToken(row, in: project) }
      )
    }
    return try found.compactMap { found in
      try connection.run(ProviderTokenSQL.check, .time(now), .integer(found.position))
      return found.token.map { (found.project, $0) }
    }
  }

  /// Nil for a token that can't be read, so that it doesn't block the others.
  private func readable(_ read: () throws -> ProviderToken) throws -> ProviderToken? {
    do {
      return try read()
    } catch StoreError.damaged {
      return nil
    }
  }

  /// Claims in the same way the tokens of one account.
  package func claimProviderTokens(
    of uid: UID, provider: ProviderID, checkedBefore date: Date, now: Date, in project: ProjectID
  ) throws -> [ProviderToken] {
    guard let account = try accountKey(uid, in: project) else { return [] }
    return try connection.all(ProviderTokenSQL.ofAccount, .integer(account)) { row in
      (
        position: row.integer(ProviderTokenColumn.allCases.count + 1),
        token: try readable { try providerToken(row, in: project) }
      )
    }.compactMap { found in
      guard let token = found.token, token.provider == provider, token.checkedAt < date else {
        return nil
      }
      try connection.run(ProviderTokenSQL.check, .time(now), .integer(found.position))
      return token
    }
  }

  package func countProviderTokens(in project: ProjectID) throws -> Int {
    guard let key = try key(of: project) else { return 0 }
    return try connection.first(ProviderTokenSQL.count, .integer(key)) { Int($0.integer(0)) } ?? 0
  }

  /// At most `limit` tokens in a fixed order, after the one at `position`. Those that can't be read are
  /// left out.
  ///
  /// - Returns: The tokens, and the position of the last one; nil at the end.
  package func providerTokenPage(
    after position: Int64?, limit: Int, in project: ProjectID
  ) throws -> (tokens: [ProviderToken], position: Int64?) {
    guard let key = try key(of: project) else { return ([], nil) }
    let page = try connection.all(
      ProviderTokenSQL.page, .integer(key), .integer(position ?? .min),
      .integer(Int64(max(limit, 0)))
    ) { row in
      (
        position: row.integer(ProviderTokenColumn.allCases.count + 1),
        token: try readable { try providerToken(row, in: project) }
      )
    }
    return (page.compactMap(\.token), page.last?.position)
  }

  private func providerToken(_ row: SQLRow, in project: ProjectID) throws -> ProviderToken {
    typealias Column = ProviderTokenColumn
    let uid = try row.value(ProviderTokenColumn.allCases.count, "account's id", UID.init)
    let provider = try row.value(Column.provider, "provider's id", ProviderID.init)
    let clientID = try row.text(Column.clientID)
    guard
      let secret = try opened(
        row.blob(Column.token), Self.place(of: uid.text, provider, clientID, in: project))
    else { throw StoreError.damaged("a stored provider token can't be read") }
    var token = ProviderToken(
      uid: uid, provider: provider, clientID: clientID,
      subject: try row.value(Column.subject, "subject", Subject.init), token: secret,
      codeDigest: row.optionalBlob(Column.codeDigest), obtainedAt: row.time(Column.obtainedAt))
    token.checkedAt = row.time(Column.checkedAt)
    return token
  }

  private static func place(
    of uid: String, _ provider: ProviderID, _ clientID: String, in project: ProjectID
  ) -> SealedPlace {
    SealedPlace(
      .providerToken, project: project.text, row: "\(uid)/\(provider.text)/\(clientID)")
  }
}
