import Foundation
import GRDB
import GatehouseServer
import GatehouseProtocol
import Testing

/// A database of an older version is migrated and keeps its rows.
@Suite struct MigrationTests {
  @Test func `rows of version 1 are unchanged after migration`() async throws {
    try await withFolder { folder in
      try await makeDatabase(in: folder, version: 1, rows: rowsOfVersion1)
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let project = try projectID()
      let (account, session, spent, provider) = try await store.write { transaction in
        (
          try transaction.account(#require(UID("alice")), in: project),
          try transaction.session(SessionID(high: 0, low: 1), in: project),
          try transaction.spend(token(1), in: project),
          try transaction.provider(.google, in: project)
        )
      }
      #expect(account?.email?.text == "alice@example.com")
      #expect(account?.createdAt == Date(timeIntervalSince1970: 1_700_000_000.5))
      #expect(account?.validSince == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(account?.identities.map(\.subject.text) == ["google-1", "apple-1"])
      #expect(account?.identities.map(\.realUserStatus) == [nil, nil])
      // The session exceeded its account's limit. Such sessions leave no rows any more.
      #expect(session == nil)
      #expect(account?.emailVerifiedAt == nil)
      #expect(account?.assignedFields == [])
      #expect(account?.phoneLinkedAt == nil && account?.phoneUnconfirmedSince == nil)
      #expect(account?.identities.map(\.issuer) == [nil, nil])
      #expect(account?.identities.map(\.unconfirmedSince) == [nil, nil])
      #expect(!spent)
      #expect(provider?.additionalClientIDs == ["more"])
      #expect(provider?.isPublicClient == false)
      #expect(provider?.responseMode == nil)
      #expect(provider?.secretPlace == nil)
      #expect(provider?.claimMapping.isEmpty == true)
      #expect(provider?.clientKey == nil)
      #expect(try await store.changeCounter() == 42)
      await store.close()
    }
  }

  @Test(arguments: ["+310612345678", "+132767"])
  func `a code that an earlier version sent to a number in another form signs nobody in`(
    _ number: String
  ) async throws {
    try await withFolder { folder in
      let store = try await openStore(folder)
      let project = try projectID()
      let now = Date(timeIntervalSince1970: 1_800_000_000)
      let verification = PhoneVerification(
        session: VerificationSession(digest: [1], codeDigest: [2]),
        phoneNumber: try #require(PhoneNumber("+31612345678")), isTest: false, createdAt: now,
        expiresAt: now.addingTimeInterval(600))
      try await store.write { try $0.insert(verification, in: project) }
      #expect(try await store.read { try $0.phoneVerification(digest: [1], in: project) } != nil)
      let other = try connect(folder)
      try await other.write { database in
        try database.execute(
          sql: "UPDATE phone_verifications SET phone_number = ?", arguments: [number])
      }
      try other.close()
      let (found, listed) = try await store.read { transaction in
        (
          try transaction.phoneVerification(digest: [1], in: project),
          try transaction.phoneVerifications(limit: 10, in: project)
        )
      }
      #expect(found == nil)
      #expect(listed.isEmpty)
      await store.close()
    }
  }

  @Test func `a project's rate limits are kept under their new name`() async throws {
    try await withFolder { folder in
      let rows = """
        INSERT INTO projects (key, id, number, issuer, authorized_domains, policies)
        VALUES (9, 'chosen', 9, 'https://a.example.com/chosen', '[]',
          '{"allowsAnonymous":false,"brake":{"signUpsPerAddress":7}}')
        """
      try await makeDatabase(in: folder, version: 1, rows: rows)
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let project = try await store.read { try $0.project(#require(ProjectID("chosen"))) }
      var limits = RateLimits()
      limits.signUpsPerAddress = 7
      #expect(project?.policies.rateLimits == limits)
      #expect(project?.policies.allowsAnonymous == false)
      await store.close()
    }
  }

  @Test func `an administrator's key of version 1 keeps its rights`() async throws {
    try await withFolder { folder in
      try await makeDatabase(in: folder, version: 1, rows: rowsOfVersion1)
      let store = try SQLiteStore.open(at: folder, sealing: TaggingSealer())
      let keys = try await store.read { try $0.adminKeys() }
      #expect(keys.map(\.prefix) == ["gha_old"])
      #expect(keys.map(\.role) == [.admin])
      await store.close()
    }
  }

  @Test func `no released migration has changed`() {
    // A difference here means that a released file was edited: add a new one instead.
    #expect(
      SQLiteStore.migrations.map { "\($0.name) \($0.checksum)" } == [
        "initial 4568819067014636029",
        "service-accounts 9118265469239866611",
        "action-codes 2522426202786838574",
        "attempts 2107074632945742139",
        "imports -4806949128600300815",
        "federation -7306149002531571943",
        "consents 2844026536754417052",
        "apps 151002490490160433",
        "openid-settings 3619363547357749445",
        "app-links -2158959503646871825",
        "linking 6259343805757636242",
        "identities-by-email 52534391527551632",
        "client-authentication 3798812541820828925",
        "announced-keys 5733013788868898707",
        "arrived-names -8729060476696033155",
        "provider-clients 4012763935116310421",
        "phone-numbers 469157720187031348",
        "rate-limits -2984768612384967039",
        "outbox 439847195318801107",
        "provider-events -2999894683826477904",
        "token-lifecycle -5100082702824215851",
        "email-templates -5555789762764844838",
        "typed-codes -1010369390774861985",
        "account-language -3160345507709884100",
        "events 8007344008630180506",
        "blocking-functions -2406306400628318163",
        "initial-email -4052793997195900794",
        "discovery 1332921395794803398",
      ])
  }

  @Test func `opening again changes nothing`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      let before = try await schema(folder)
      await (try await openStore(folder)).close()
      #expect(try await schema(folder) == before)
    }
  }

  @Test func `a database of a newer version is rejected`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      try await execute(folder, "INSERT INTO schema_migrations VALUES (999, 'later', 0)")
      #expect(
        throws: StoreError.damaged(
          "the database is of a newer version (step 999): run that version of gatehouse, or "
            + "restore a backup made before the update")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `a database with other migrations is rejected`() async throws {
    try await withFolder { folder in
      await (try await openStore(folder)).close()
      try await execute(folder, "UPDATE schema_migrations SET checksum = checksum + 1")
      #expect(
        throws: StoreError.damaged(
          "the database was created by another build (step 1 differs): run the build that "
            + "created it, or restore a backup")
      ) { try SQLiteStore.open(at: folder, sealing: TaggingSealer()) }
    }
  }

  @Test func `server values can be read before the migration`() async throws {
    try await withFolder { folder in
      try await makeDatabase(
        in: folder, version: 1, rows: "INSERT INTO server_values VALUES ('mode', x'646576')")
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      let values = try SQLiteStore.serverValues(at: folder)
      #expect(values == ["mode": Array("dev".utf8)])
      #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
      await (try await openStore(folder)).close()
      #expect(try SQLiteStore.serverValues(at: folder) == ["mode": Array("dev".utf8)])
    }
  }

  @Test func `records are read only if no migration is missing, and nothing is written`()
    async throws
  {
    try await withFolder { folder in
      try await makeDatabase(in: folder, version: 1, rows: rowsOfVersion1)
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      let file = DatabaseFile(in: folder)
      let projects = try file.records(sealing: TaggingSealer()) { try $0.projects().count }
      #expect(projects == nil)
      #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
      await (try SQLiteStore.open(at: folder, sealing: TaggingSealer())).close()
      let migrated = try file.records(sealing: TaggingSealer()) { try $0.projects().count }
      #expect(migrated == 1)
      #expect(throws: StoreError.readOnly) {
        try file.records(sealing: TaggingSealer()) { try $0.setServerValue("a", to: [1]) }
      }
      #expect(try SQLiteStore.serverValues(at: folder)?["a"] == nil)
    }
  }

  @Test func `a missing database and one without tables have no server values`() async throws {
    try await withFolder { folder in
      #expect(try SQLiteStore.serverValues(at: folder) == nil)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: databasePath(folder)))
      #expect(try SQLiteStore.serverValues(at: folder) == nil)
    }
  }

  @Test func `another program's database is rejected unchanged`() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let other = try connect(folder)
      try await other.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
      try other.close()
      let before = try Data(contentsOf: URL(fileURLWithPath: databasePath(folder)))
      #expect(
        throws: StoreError.damaged(
          "the file is not a Gatehouse database: name another folder, or move the file away")
      ) { try SQLiteStore.serverValues(at: folder) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: databasePath(folder))) == before)
    }
  }

  private func makeDatabase(in folder: URL, version: Int, rows: String) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try connect(folder)
    try await database.writeWithoutTransaction { connection in
      try SQLiteStore.migrate(connection, through: version)
      try connection.execute(sql: rows)
    }
    try database.close()
  }

  private func execute(_ folder: URL, _ sql: String) async throws {
    let database = try connect(folder)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  private func schema(_ folder: URL) async throws -> [String] {
    let database = try connect(folder)
    defer { try? database.close() }
    return try await database.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name")
    }
  }
}

private let rowsOfVersion1 = """
  INSERT INTO projects VALUES
    (5, 'first-project', 1, NULL, 'https://auth.example.com/first-project', '[]', '{}');
  INSERT INTO providers VALUES
    (5, 'google.com', 1, NULL, 'client', '["more"]', '[]', NULL, NULL, 0, 1, 'authoritative', 0,
     NULL, NULL, NULL, NULL);
  INSERT INTO accounts VALUES
    (7, 5, 'alice', 'alice@example.com', 1, 'Alice', NULL, NULL, NULL, NULL, NULL, NULL, '{"a":1}',
     0, 0, 1700000000500, NULL, NULL, 1700000000);
  INSERT INTO identities VALUES
    (5, 'apple.com', 'apple-1', 7, 1, NULL, NULL, NULL, NULL, 1, 1700000000500),
    (5, 'google.com', 'google-1', 7, 0, NULL, NULL, NULL, NULL, NULL, 1700000000500);
  INSERT INTO sessions VALUES
    (1, 5, x'00000000000000000000000000000001', 'alice', 'google.com', NULL, 1700000000500,
     1700000000500, 1700000000500, 3, 1700000000500, NULL, NULL, NULL, 1700000000600, 'displaced');
  INSERT INTO spent_tokens VALUES (5, x'0000000000000001', 1700000000500);
  INSERT INTO admin_keys VALUES (x'01', 'gha_old', NULL, 1700000000500, NULL);
  UPDATE change_counter SET value = 42;
  """
