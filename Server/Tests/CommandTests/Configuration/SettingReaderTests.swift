import Foundation
import Testing

@testable import gatehouse

@Suite struct SettingReaderTests {
  private func reader(
    _ flags: [String: String] = [:], assignments: [String] = [],
    environment: [String: String] = [:], isDevelopment: Bool = false
  ) -> SettingReader {
    var faults: [String] = []
    let sources = SettingSources(
      flags: flags, assignments: assignments, environment: environment, file: nil, faults: &faults)
    return SettingReader(sources, isDevelopment: isDevelopment, faults: faults)
  }

  @Test func `a flag overrides --set, which overrides the environment`() {
    let environment = ["GATEHOUSE_PORT": "1"]
    var last = reader(environment: environment)
    #expect(last.read(Settings.port) == 1)
    var middle = reader(assignments: ["port=2"], environment: environment)
    #expect(middle.read(Settings.port) == 2)
    var first = reader(["port": "3"], assignments: ["port=2"], environment: environment)
    #expect(first.read(Settings.port) == 3)
  }

  @Test func `a secret overrides the file with it that a weaker source names`() {
    let environment = ["GATEHOUSE_DATABASE_FILE": "/nowhere"]
    var flag = reader(["database": "postgres://db.example.com/name"], environment: environment)
    #expect(flag.read(Settings.database) != nil)
    #expect(flag.faults == [])
    var file = reader(
      assignments: ["databaseFile=/nowhere"], environment: ["GATEHOUSE_DATABASE": "postgres://a"])
    _ = file.read(Settings.database)
    #expect(file.faults == ["databaseFile: “/nowhere” can't be read"])
    var both = reader(
      environment: environment.merging(["GATEHOUSE_DATABASE": "postgres://a"]) { $1 })
    _ = both.read(Settings.database)
    #expect(both.faults == ["both database and databaseFile are given; give only one"])
  }

  @Test func `a setting that isn't given has its default, without a fault`() {
    var reader = reader()
    #expect(reader.read(Settings.port) == 9099)
    #expect(reader.read(Settings.metricsPort) == nil)
    #expect(reader.read(Settings.passwordLogCost) == 15)
    #expect(reader.faults == [])
    var development = self.reader(isDevelopment: true)
    #expect(development.read(Settings.passwordLogCost) == 10)
  }

  @Test func `every fault is reported with the place where the value was given`() {
    var reader = reader(
      ["port": "x"],
      assignments: ["server.trustedProxies=::/0,proxy", "nothing.like.it=1", "log.levle=info"],
      environment: ["GATEHOUSE_LOG_LEVEL": "loud"])
    _ = reader.read(Settings.port)
    _ = reader.read(Settings.trustedProxies)
    _ = reader.read(Settings.logLevel)
    #expect(
      reader.faults == [
        "--set nothing.like.it: there is no such setting; the settings are "
          + Settings.all.map(\.key).joined(separator: ", "),
        "--set log.levle: there is no such setting; did you mean log.level?",
        "--port: “x” is not a whole number from 0 to 65535",
        "--set server.trustedProxies: “::/0” contains every address, so any client could claim any "
          + "address: name your proxies' own addresses",
        "--set server.trustedProxies: “proxy” is neither an address nor a network such as "
          + "10.0.0.0/8",
        "GATEHOUSE_LOG_LEVEL: “loud” is not one of trace, debug, info, notice, warning, error, "
          + "critical",
      ])
  }

  @Test func `any secret but the master key may be in a file, which is read only if it is needed`()
    throws
  {
    try withFolder { folder in
      let file = folder + "/database"
      try "postgres://user:secret@db.example.com/name\n".write(
        toFile: file, atomically: true, encoding: .utf8)
      var given = reader(environment: ["GATEHOUSE_DATABASE_FILE": file])
      #expect(given.isGiven(Settings.database))
      #expect(given.read(Settings.database) != nil)
      #expect(given.faults == [])
      var missing = reader(
        assignments: ["databaseFile=/nowhere"],
        environment: ["GATEHOUSE_MAIL_PASSWORD_FILE": "/nowhere"])
      #expect(missing.read(Settings.database) == nil)
      #expect(missing.faults == ["databaseFile: “/nowhere” can't be read"])
    }
    var key = reader(assignments: ["masterKeyFile=/nowhere"])
    #expect(key.read(Settings.masterKey) == nil)
    #expect(key.faults == [])
    #expect(Settings.unknownVariables(in: ["GATEHOUSE_MAIL_PASSWORD_FILE": "x"]) == [])
  }

  @Test func `a stand-in on loopback may use http in development only`() {
    let flags = ["providers.baseURL=http://127.0.0.1:1/"]
    var development = reader(assignments: flags, isDevelopment: true)
    #expect(development.read(Settings.providerBaseURL) == "http://127.0.0.1:1")
    var production = reader(assignments: flags)
    #expect(production.read(Settings.providerBaseURL) == nil)
    #expect(
      production.faults == [
        "--set providers.baseURL: “http://127.0.0.1:1/” is not an https URL"
      ])
  }

  @Test func `the fault for a missing public URL says how to give one`() {
    var missing = reader()
    #expect(missing.requiredPublicURL() == nil)
    #expect(
      missing.faults == [
        "the public URL is missing: the issuer of every token begins with it. Give --public-url "
          + "https://auth.example.com, or GATEHOUSE_PUBLIC_URL"
      ])
    var given = reader(["publicURL": "https://auth.example.com/"])
    #expect(given.requiredPublicURL() == "https://auth.example.com")
    #expect(given.faults == [])
  }
}
