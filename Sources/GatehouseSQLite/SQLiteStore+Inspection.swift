package import GRDB
import GatehouseAccounts

/// What tests inspect beneath the records.
extension SQLiteStore {
  /// Every statement that the store runs on an open database, except `PRAGMA`s and the statements
  /// for transactions and savepoints.
  package static var statements: [String] {
    texts(AccountSQL.self) + texts(AccountRecordSQL.self) + texts(IdentityRecordSQL.self)
      + texts(SessionSQL.self) + texts(SessionRecordSQL.self) + texts(OneTimeSQL.self)
      + texts(ActionCodeSQL.self) + texts(ActionCodeRecordSQL.self)
      + texts(ProjectRecordSQL.self) + texts(ProviderRecordSQL.self)
      + texts(PhoneVerificationRecordSQL.self)
      + texts(ProjectSQL.self) + texts(AppSQL.self) + texts(AndroidAppSQL.self)
      + texts(EmailTemplateSQL.self)
      + texts(ProviderSQL.self) + texts(KeySQL.self)
      + texts(ServerSQL.self) + texts(AttemptSQL.self) + texts(ServiceAccountSQL.self)
      + texts(ConsentSQL.self) + texts(PasswordKeySQL.self) + texts(PhoneVerificationSQL.self)
      + texts(CodeWebhookSQL.self) + texts(OutboxSQL.self) + texts(ProviderTokenSQL.self)
      + texts(ProviderNotificationSQL.self) + texts(SubjectTransferSQL.self)
  }

  /// The migrations that this program knows, oldest first, with their checksums.
  package static var migrations: [(name: String, checksum: Int64)] {
    Migration.all.map { ($0.name, $0.checksum) }
  }

  /// Applies only the first `number` migrations, as an older version would.
  package static func migrate(_ database: Database, through number: Int) throws {
    try Migrator.migrate(database, with: Array(Migration.all.prefix(number)))
  }

  /// Runs a pragma on the connection that writes, and returns its value.
  package func pragma(_ text: String) async throws -> String? {
    try await write { transaction in
      try (transaction as? SQLiteTransaction)?.connection.pragma(text)
    }
  }

  private static func texts<Statement: SQLStatement>(_ type: Statement.Type) -> [String] {
    type.allCases.map(\.text)
  }
}
