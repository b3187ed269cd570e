package import Foundation
package import GatehouseProtocol
import GatehouseTokens

extension Transaction {
  /// The account's key in this database, if the account exists.
  func accountKey(_ uid: UID, in project: ProjectID) throws -> Int64? {
    guard let project = try key(of: project) else { return nil }
    return try connection.first(
      AccountSQL.key, .integer(project), .text(uid.text)
    ) { $0.integer(0) }
  }

  package func account(_ uid: UID, in project: ProjectID) throws -> Account? {
    try account(.uid, in: project, .text(uid.text))
  }

  package func account(email: EmailAddress, in project: ProjectID) throws -> Account? {
    try account(.email, in: project, .text(email.text))
  }

  package func account(phoneNumber: String, in project: ProjectID) throws -> Account? {
    try account(.phoneNumber, in: project, .text(phoneNumber))
  }

  package func account(
    provider: ProviderID, subject: Subject, in project: ProjectID
  ) throws -> Account? {
    try account(.identity, in: project, .text(provider.text), .text(subject.text))
  }

  /// One of the accounts that have an identity with the address. Their own addresses may differ.
  package func account(identityEmail email: EmailAddress, in project: ProjectID) throws -> Account?
  {
    try account(.identityEmail, in: project, .text(email.text))
  }

  /// Writes the account and its identities, and replaces those stored under its id.
  ///
  /// - Parameters:
  ///   - isNew: Whether no account has the id. Then nothing is read first.
  ///   - former: The account as it is stored, if the caller has read it in this transaction. It saves
  ///     reading the account's search terms, which rarely change.
  /// - Throws: ``StoreError/conflict(_:)`` if an identity, the email address or the phone number
  ///   belongs to another account.
  package func save(
    _ account: Account, isNew: Bool = false, replacing former: Account? = nil, in id: ProjectID
  ) throws {
    let project = try existingKey(of: id)
    let factors = try account.secondFactors.map { factors in
      try sealing.seal(factors.bytes, at: .secondFactors(of: account.uid, in: id))
    }
    let values =
      [.integer(project)]
      + AccountColumn.allCases.map { account.value($0, sealedFactors: factors) }
    let searched = SearchedFields(account)
    let terms = former.map(SearchedFields.init) == searched ? nil : searched.terms
    guard !connection.isRemote else {
      if isNew { knownLiveSessions = (id, account.uid, nil, (0, 0)) }
      return try saveLater(account, terms, isNew: isNew, in: project, values)
    }
    let key = try connection.first(AccountRecordSQL.save, values) { $0.integer(0) }
    guard let key else { throw StoreError.damaged("a saved account has no key") }
    try save(account.identities, of: key, in: project)
    if let terms { try save(terms, isNew: isNew, of: key, in: project) }
  }

  /// Sets the times that sign-ins and refreshes change; nil leaves a time as it is. No effect if the
  /// account doesn't exist.
  package func touch(
    _ uid: UID, in project: ProjectID, lastLoginAt: Date?, lastRefreshAt: Date?
  ) throws {
    guard let project = try key(of: project) else { return }
    try connection.run(
      AccountSQL.touch, .integer(project), .text(uid.text), .optional(lastLoginAt),
      .optional(lastRefreshAt))
  }

  /// Removes the account and its identities. The caller must end the account's sessions.
  package func deleteAccount(_ uid: UID, in project: ProjectID) throws {
    guard let project = try key(of: project) else { return }
    // This also deletes its identities (ON DELETE CASCADE).
    try connection.run(AccountSQL.delete, .integer(project), .text(uid.text))
  }

  /// Deletes some of a project's accounts, and records no event: the project's log is about to be deleted too.
  ///
  /// - Returns: How many were deleted; 0 if there was none.
  func dropAccounts(of project: ProjectID, limit: Int) throws -> Int {
    guard let project = try key(of: project) else { return 0 }
    return Int(
      try connection.change(
        AccountSQL.deleteSome, .integer(project), .integer(Int64(limit))))
  }

  /// Withdraws the account's ``Account/deletionScheduledFor``.
  ///
  /// - Returns: False if its deletion wasn't scheduled.
  package func keepScheduledAccount(_ uid: UID, in project: ProjectID) throws -> Bool {
    guard let project = try key(of: project) else { return false }
    return try connection.change(
      AccountSQL.keepScheduled, .integer(project), .text(uid.text)) > 0
  }

  /// At most `limit` accounts, in all projects, whose deletion is scheduled for `date` or earlier. The
  /// earliest come first.
  package func accountsScheduledForDeletion(
    by date: Date, limit: Int
  ) throws -> [(project: ProjectID, uid: UID)] {
    try connection.all(AccountSQL.scheduled, .time(date), .integer(Int64(max(limit, 0)))) { row in
      (
        try row.value(0, "project's id", ProjectID.init),
        try row.value(1, "account's id", UID.init)
      )
    }
  }

  /// At most `limit` accounts in the order of their ids, beginning after `uid`.
  package func accounts(after uid: UID?, limit: Int, in project: ProjectID) throws -> [Account] {
    guard let key = try key(of: project), limit > 0 else { return [] }
    let start = uid.map { [SQLValue.text($0.text)] } ?? []
    return try accounts(
      uid == nil ? .first : .next, [.integer(key)] + start + [.integer(Int64(limit))], in: project)
  }

  /// Like ``accounts(after:limit:in:)``, only of accounts that have, or had, second factors.
  package func accountsWithSecondFactors(
    after uid: UID?, limit: Int, in project: ProjectID
  ) throws -> [Account] {
    guard let key = try key(of: project), limit > 0 else { return [] }
    return try accounts(
      .nextWithSecondFactors,
      [.integer(key), .text(uid?.text ?? ""), .integer(Int64(limit))], in: project)
  }

  /// At most `limit` accounts in the order of their ids or in reverse order, without the first
  /// `offset` ones. The cost grows with `limit` and `offset`.
  package func accounts(
    offset: Int, limit: Int, isDescending: Bool, in project: ProjectID
  ) throws -> [Account] {
    guard let key = try key(of: project), limit > 0, offset >= 0 else { return [] }
    return try accounts(
      isDescending ? .sliceFromEnd : .slice,
      [.integer(key), .integer(Int64(limit)), .integer(Int64(offset))], in: project)
  }

  /// Reads a page with two statements, however many accounts it has.
  private func accounts(
    _ page: AccountPage, _ values: [SQLValue], in project: ProjectID
  ) throws -> [Account] {
    let key = AccountColumn.allCases.count
    let ofPage = IdentityRecordSQL.ofPage(page)
    if connection.isRemote { connection.expect([SQLQuery(ofPage, values)]) }
    var accounts = try connection.all(AccountRecordSQL.page(page), values) {
      (key: $0.integer(key), account: try account($0, in: project))
    }
    let identities = Dictionary(
      grouping: try connection.all(ofPage, values) {
        (account: $0.integer(IdentityColumn.allCases.count), identity: try LinkedIdentity($0))
      }, by: \.account)
    for index in accounts.indices {
      accounts[index].account.identities =
        identities[accounts[index].key]?.map(\.identity) ?? []
    }
    return accounts.map(\.account)
  }

  /// The accounts with these keys, in their order; unknown ones are omitted.
  func accounts(keys: [Int64], in project: ProjectID) throws -> [Account] {
    var accounts: [Account] = []
    // With more, the announced queries wouldn't be sent together.
    for portion in stride(from: 0, to: keys.count, by: 40).map({ keys.dropFirst($0).prefix(40) }) {
      if connection.isRemote {
        connection.expect(portion.flatMap { Self.queries(.key, [.integer($0)]) })
      }
      accounts += try portion.compactMap { try account(.key, [.integer($0)], in: project) }
    }
    return accounts
  }

  /// Changes the issuer of the provider's identities from `old` to `new`, for at most `limit`
  /// identities in the order of their subjects, beginning after `subject`. An event tells how many were moved.
  ///
  /// - Returns: How many identities had the issuer `old`, and the last subject that was read. The
  ///   subject is nil at the end.
  package func moveIdentities(
    of provider: ProviderID, from old: String, to new: String, after subject: Subject?, limit: Int,
    in project: ProjectID
  ) throws -> (moved: Int, last: Subject?) {
    guard let key = try key(of: project) else { return (0, nil) }
    // Subjects are never empty.
    let start = SQLValue.text(subject?.text ?? "")
    let page = try connection.all(
      AccountSQL.subjects, .integer(key), .text(provider.text), start,
      .integer(Int64(max(limit, 0)))
    ) { try $0.value(0, "identity's subject", Subject.init) }
    guard let last = page.last else { return (0, nil) }
    let moved = try connection.change(
      AccountSQL.moveIdentities, .integer(key), .text(provider.text), start, .text(last.text),
      .text(old), .text(new))
    if moved > 0 {
      try recordSetting(
        SettingName("issuer of identities", provider.text),
        details: ["former": old, "issuer": new, "identities": "\(moved)"], in: project)
    }
    return (moved, page.count < limit ? nil : last)
  }

  /// How many of the provider's first `limit` identities, in the order of their subjects, have another issuer than
  /// `issuer`. Identities without a known issuer aren't counted.
  package func countIdentities(
    of provider: ProviderID, notFrom issuer: String, amongFirst limit: Int, in project: ProjectID
  ) throws -> Int {
    guard let project = try key(of: project) else { return 0 }
    return try connection.all(
      AccountSQL.issuers, .integer(project), .text(provider.text), .integer(Int64(max(limit, 0)))
    ) { try $0.optionalText(0) }
    .count { $0.map { !$0.hasSameBytes(as: issuer) } ?? false }
  }

  /// How many accounts the project has. The cost doesn't depend on the number.
  package func accountCount(in project: ProjectID) throws -> Int {
    guard let project = try key(of: project) else { return 0 }
    return try connection.first(AccountSQL.count, .integer(project)) { Int($0.integer(0)) } ?? 0
  }

  func account(
    _ finder: AccountFinder, in project: ProjectID, _ values: SQLValue...
  ) throws -> Account? {
    guard let key = try key(of: project) else { return nil }
    return try account(finder, [.integer(key)] + values, in: project)
  }

  private func account(
    _ finder: AccountFinder, _ values: [SQLValue], in project: ProjectID
  ) throws -> Account? {
    if connection.isRemote { connection.expect(Self.queries(finder, values)) }
    var found = try connection.first(AccountRecordSQL.account(finder), values) {
      try account($0, in: project)
    }
    guard found != nil else { return nil }
    found?.identities = try connection.all(IdentityRecordSQL.ofAccount(finder), values) {
      try LinkedIdentity($0)
    }
    return found
  }

  /// The account without its identities.
  private func account(_ row: SQLRow, in project: ProjectID) throws -> Account {
    var account = try Account(row)
    if !row.isNull(AccountColumn.secondFactors) {
      let sealed = row.blob(AccountColumn.secondFactors)
      account.secondFactors = try SecondFactors(
        stored: try sealing.open(sealed, at: .secondFactors(of: account.uid, in: project)))
    }
    return account
  }

  /// The queries that read an account.
  static func queries(_ finder: AccountFinder, _ values: [SQLValue]) -> [SQLQuery] {
    [
      SQLQuery(AccountRecordSQL.account(finder), values),
      SQLQuery(IdentityRecordSQL.ofAccount(finder), values),
    ]
  }

  private func identities(of account: Int64) throws -> [LinkedIdentity] {
    try connection.all(IdentityRecordSQL.ofAccount(.key), .integer(account)) {
      try LinkedIdentity($0)
    }
  }

  /// Saves an account without waiting for results, except for the stored identities.
  ///
  /// - Parameter terms: Nil if they haven't changed.
  private func saveLater(
    _ account: Account, _ terms: [String]?, isNew: Bool, in project: Int64, _ values: [SQLValue]
  ) throws {
    let name: [SQLValue] = [.integer(project), .text(account.uid.text)]
    if terms != nil, !isNew { connection.expect([SQLQuery(SearchTermSQL.ofUID, name)]) }
    let stored =
      isNew
      ? []
      : try connection.all(IdentityRecordSQL.ofAccount(.uid), name) { try LinkedIdentity($0) }
    let storedTerms = try terms == nil || isNew ? [] : self.terms(SearchTermSQL.ofUID, name)
    try connection.run(AccountRecordSQL.saveQuietly, values)
    if let terms {
      for term in storedTerms.subtracting(terms) {
        try connection.run(SearchTermSQL.deleteOfUID, name + [.text(term)])
      }
      for term in terms where !storedTerms.contains(term) {
        try connection.run(SearchTermSQL.insertForUID, name + [.text(term)])
      }
    }
    guard stored != account.identities else { return }
    if !stored.isEmpty { try connection.run(AccountSQL.deleteIdentitiesOfUID, name) }
    for (position, identity) in account.identities.enumerated() {
      try connection.run(
        IdentityRecordSQL.insertForUID,
        name + [.integer(Int64(position))] + IdentityColumn.allCases.map { identity.value($0) })
    }
  }

  private func save(_ terms: [String], isNew: Bool, of account: Int64, in project: Int64) throws {
    let stored = isNew ? [] : try self.terms(SearchTermSQL.ofAccount, [.integer(account)])
    for term in stored.subtracting(terms) {
      try connection.run(SearchTermSQL.delete, .integer(account), .text(term))
    }
    for term in terms where !stored.contains(term) {
      try connection.run(
        SearchTermSQL.insert, .integer(project), .integer(account), .text(term))
    }
  }

  private func terms(_ sql: SearchTermSQL, _ values: [SQLValue]) throws -> Set<String> {
    Set(try connection.all(sql, values) { try $0.text(0) })
  }

  /// Writes the identities only if they changed, which is rare.
  private func save(
    _ identities: [LinkedIdentity], of account: Int64, in project: Int64
  ) throws {
    let stored = try self.identities(of: account)
    guard stored != identities else { return }
    if !stored.isEmpty { try connection.run(AccountSQL.deleteIdentities, .integer(account)) }
    for (position, identity) in identities.enumerated() {
      try connection.run(
        IdentityRecordSQL.insert,
        [.integer(project), .integer(account), .integer(Int64(position))]
          + IdentityColumn.allCases.map { identity.value($0) })
    }
  }
}

extension SealedPlace {
  fileprivate static func secondFactors(of uid: UID, in project: ProjectID) -> SealedPlace {
    SealedPlace(.secondFactors, project: project.text, row: uid.text)
  }
}
