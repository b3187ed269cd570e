import Foundation
package import GatehouseProtocol

enum ConsentSQL: String, SQLStatement {
  case insert = "INSERT INTO consents (account, given_at, version, joins) VALUES (?, ?, ?, ?)"
  case list = "SELECT version, joins, given_at FROM consents WHERE account = ? ORDER BY key"
  case trim = """
    DELETE FROM consents WHERE key IN (
      SELECT key FROM consents WHERE account = ? ORDER BY key DESC LIMIT 9223372036854775807 OFFSET ?)
    """
  case delete = "DELETE FROM consents WHERE account = ?"
}

extension Transaction {
  /// Stores the consent. Keeps only the account's newest ``Consent/maximumPerAccount``.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` if there is no such account.
  package func record(_ consent: Consent, of uid: UID, in project: ProjectID) throws {
    guard let account = try accountKey(uid, in: project) else {
      throw StoreError.damaged("a consent's account doesn't exist")
    }
    try connection.run(
      ConsentSQL.insert, .integer(account), .time(consent.givenAt), .text(consent.version),
      .text(try JSONColumn.text(consent.joins.map(\.name))))
    try connection.run(
      ConsentSQL.trim, .integer(account), .integer(Int64(Consent.maximumPerAccount)))
  }

  /// Oldest first; empty for an account that doesn't exist.
  package func consents(of uid: UID, in project: ProjectID) throws -> [Consent] {
    guard let account = try accountKey(uid, in: project) else { return [] }
    return try connection.all(ConsentSQL.list, .integer(account)) { row in
      let names: [String] = try JSONColumn.value(try row.text(1), "consent")
      return Consent(
        version: try row.text(0), joins: names.compactMap { AccountPart(name: $0) },
        givenAt: row.time(2))
    }
  }

  package func deleteConsents(of uid: UID, in project: ProjectID) throws {
    guard let account = try accountKey(uid, in: project) else { return }
    try connection.run(ConsentSQL.delete, .integer(account))
  }
}
