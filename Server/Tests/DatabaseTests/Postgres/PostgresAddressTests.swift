import Testing

@testable import GatehouseServer

@Suite struct PostgresAddressTests {
  /// What libpq is called with, of which the last one of a name holds.
  private func parameters(
    _ url: String, environment: [String: String] = ["HOME": "/nonexistent"]
  ) throws -> [String: String] {
    let list = try PostgresAddress(url).connectionParameters(environment: environment)
    return Dictionary(list) { _, last in last }
  }

  @Test(arguments: [
    "postgres://gatehouse@db.example.com/app",
    "postgres://gatehouse@db1.example.com,db2.example.com/app",
    "postgres://gatehouse@127.0.0.1,db2.example.com/app",
    "postgres:///app?host=db.example.com",
    "postgres://gatehouse@10.0.0.7/app",
  ])
  func `the certificate of a server elsewhere is checked, with its name`(_ url: String) throws {
    let parameters = try parameters(url)
    #expect(parameters["sslmode"] == "verify-full")
    #expect(parameters["target_session_attrs"] == "read-write")
    #expect(try !PostgresAddress(url).isExposed(environment: [:]))
  }

  @Test(arguments: [
    "postgres://gatehouse@127.0.0.1/app", "postgres://gatehouse@localhost:5433/app",
    "postgres://gatehouse@[::1]/app", "postgres:///app?host=/var/run/postgresql", "postgres:///app",
  ])
  func `within the machine libpq decides`(_ url: String) throws {
    #expect(try parameters(url)["sslmode"] == nil)
  }

  @Test func `the operator's own choice in the environment holds`() throws {
    let url = "postgres://gatehouse@db.example.com/app"
    #expect(try parameters(url, environment: ["PGSSLMODE": "require"])["sslmode"] == nil)
    #expect(
      try parameters(url, environment: ["PGSSLROOTCERT": "/a"])["sslrootcert"] == nil)
  }

  @Test(arguments: ["disable", "allow", "prefer", "require", "verify-ca"])
  func `a connection that others can read or answer is known as such`(_ mode: String) throws {
    let url = "postgres://gatehouse@db.example.com/app"
    let withMode = url + "?sslmode=\(mode)"
    #expect(try PostgresAddress(withMode).isExposed(environment: [:]))
    #expect(try PostgresAddress(url).isExposed(environment: ["PGSSLMODE": mode]))
    #expect(
      try !PostgresAddress(withMode.replacing("db.example.com", with: "localhost"))
        .isExposed(environment: [:]))
    // The URL's choice holds.
    #expect(
      try !PostgresAddress(url + "?sslmode=verify-full").isExposed(environment: ["PGSSLMODE": mode])
    )
  }

  @Test(arguments: [
    ("postgres://localhost/app?hostaddr=10.0.0.9", [:]),
    ("postgres://db.example.com/app?hostaddr=127.0.0.1", [:]),
    ("postgres://localhost/app", ["PGHOSTADDR": "10.0.0.9"]),
    ("postgres:///app", ["PGHOST": "db.example.com"]),
    ("postgres:///app?service=production", [:]),
    ("postgres:///app", ["PGSERVICE": "production"]),
  ])
  func `an address elsewhere counts as much as a name, and a service may be anywhere`(
    _ url: String, _ environment: [String: String]
  ) throws {
    #expect(try parameters(url, environment: environment)["sslmode"] == "verify-full")
    let exposed = environment.merging(["PGSSLMODE": "disable"]) { $1 }
    #expect(try PostgresAddress(url).isExposed(environment: exposed))
  }

  @Test func `the name has no password`() throws {
    let address = try PostgresAddress("postgres://me:made-up-secret@db.example.com:5433/app")
    #expect(address.name == "app at db.example.com")
    #expect(address.hasPassword)
    #expect(!"\(address)".contains("made-up-secret"))
    #expect(!String(reflecting: address).contains("made-up-secret"))
  }

  @Test(arguments: ["mysql://db.example.com/app", "", "db.example.com", "postgres://[::1/app"])
  func `another kind of address is refused`(_ text: String) {
    #expect(throws: PostgresAddressFault.self) { try PostgresAddress(text) }
  }

  @Test(arguments: [
    "postgres://me:made@up-secret@db.example.com/app",
    "postgres://me:made/up-secret@db.example.com/app",
    "postgres://me:made?up@secret@db.example.com/app",
    "postgres://me:pw@db.example.com/app@up-secret",
  ])
  func `a password that libpq would read as the name of a host or a database is refused`(
    _ url: String
  ) throws {
    #expect {
      try PostgresAddress(url)
    } throws: { error in
      "\(error)"
        == "it has an @ behind the password or in it. Write @ in a user, a password or a name as %40, "
        + "and / in a user or a password as %2F"
    }
  }

  @Test(arguments: [
    ("postgres://me:made%40up%2Fsecret@db.example.com/app", "app at db.example.com"),
    ("postgresql://me:made?up@db.example.com/app", "app at db.example.com"),
    ("postgres://me@db.example.com/app%40home", "app@home at db.example.com"),
    ("postgres://db.example.com/app?user=me@home", "app at db.example.com"),
    ("postgres:///app?host=@/run/postgres", "app at @/run/postgres"),
  ])
  func `an escaped password, and an @ in a parameter, are accepted`(
    _ url: String, _ name: String
  ) throws {
    #expect(try PostgresAddress(url).name == name)
  }
}
