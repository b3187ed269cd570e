import Testing

@testable import gatehouse

@Suite struct DatabaseEnginesTests {
  @Test(arguments: ["data", "/var/lib/gatehouse", "postgres", "https://example.com"])
  func `a text that is no URL of PostgreSQL names SQLite's folder`(_ text: String) throws {
    let engine = try DatabaseEngines.named(text, by: "--from")
    #expect(engine is SQLiteEngine)
    #expect(engine.name == "in \(text)")
    #expect(!engine.isShared)
  }

  @Test(arguments: ["postgres://ann@db.example.com:5432/auth", "postgresql://db.example.com/auth"])
  func `a URL names a PostgreSQL database, which servers share`(_ text: String) throws {
    let engine = try DatabaseEngines.named(text, by: "--from")
    #expect(engine is PostgresEngine)
    #expect(engine.isShared)
  }

  @Test func `the error for a malformed URL names the flag`() {
    #expect {
      _ = try DatabaseEngines.named("postgres://[db.example.com/auth", by: "--to")
    } throws: { error in
      "\(error)".hasPrefix("--to: this is no PostgreSQL database: ")
    }
  }
}
