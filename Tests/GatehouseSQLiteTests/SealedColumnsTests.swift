import Foundation
import GRDB
import GatehouseAccounts
import GatehouseSQLite
import Testing

@Suite struct SealedColumnsTests {
  /// The columns that `MasterKeyRotation.reseal()` encrypts again. A column that is missing here
  /// would be lost with the old master key: add it there, to its test, and here.
  private static let resealed: Set = [
    "providers.client_secret", "providers.apple_private_key", "provider_keys.private_key",
    "provider_clients.secret", "signing_keys.private_key", "password_keys.password_key",
    "code_webhooks.secret", "outbox.task", "provider_tokens.token", "hooks.secrets",
    "projects.blocking_functions",
  ]

  /// Columns whose values expire before a former key is retired: codes of `--dev`, where nothing
  /// depends on the master key.
  private static let shortLived: Set = [
    "action_codes.link", "phone_verifications.session_info", "phone_verifications.code",
  ]

  @Test func `rotating the master key encrypts every encrypted column again`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      let database = try connect(folder)
      let tables = try await database.read { connection in
        try Row.fetchAll(
          connection, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'table'"
        )
        .map { ($0["name"] as String, ($0["sql"] as String?) ?? "") }
      }
      try database.close()
      var sealed: Set<String> = []
      for (name, sql) in tables {
        // Of a column that was added later; SQLite adds it to the line of the last one.
        for line in sql.split(separator: "\n") {
          guard let mark = line.firstRange(of: "/* sealed */") else { continue }
          let column = line[..<mark.lowerBound].split(separator: ",").last?
            .split(whereSeparator: \.isWhitespace).first
          sealed.insert("\(name).\(column ?? "")")
        }
        for line in sql.split(separator: "\n") where line.contains("-- sealed") {
          let column = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
          sealed.insert("\(name).\(column)")
        }
      }
      #expect(sealed == Self.resealed.union(Self.shortLived))
    }
  }
}
