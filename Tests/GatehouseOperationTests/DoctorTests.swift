import Foundation
import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseOperation
import GatehouseSQLite
import Testing

private func verdict(_ findings: [Finding]) -> String {
  findings.map { finding in
    switch finding.verdict {
    case .ok: "ok"
    case .warning: "warning"
    case .failed: "failed"
    }
  }.joined(separator: " ")
}

@Suite struct ConsentCheckTests {
  private func finding(
    _ policy: LinkConsent, _ provider: ProviderID = .apple, isEnabled: Bool = true
  ) throws -> Finding? {
    var policies = ProjectPolicies()
    policies.linkConsent = policy
    let project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: "https://auth.example.com/my-app",
      authorizedDomains: [], policies: policies)
    var configuration = ProviderConfiguration(id: provider, clientID: "c", trustEmail: .never)
    configuration.isEnabled = isEnabled
    return ConsentCheck.finding(for: project, providers: [configuration])
  }

  @Test func `a policy that is off gives a warning if Apple is enabled`() throws {
    let off = try #require(try finding(.off))
    #expect(verdict([off]) == "warning")
    guard case .warning(let remedy) = off.verdict else { return }
    #expect(remedy.contains("gatehouse projects set my-app linkConsent=anonymized"))
    #expect(verdict([try #require(try finding(.anonymized))]) == "ok")
    #expect(try finding(.off, .google) == nil)
    #expect(try finding(.off, isEnabled: false) == nil)
  }
}

@Suite struct ClockCheckTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let time = Date(timeIntervalSince1970: 784_111_777)

  private func check(_ offsets: Double...) -> [Finding] {
    ClockCheck.findings(offsets.map { (Self.date, Self.time.addingTimeInterval($0)) })
  }

  @Test(arguments: [
    (0, "ok"), (4, "ok"), (-4, "ok"), (5, "warning"), (-5, "warning"), (59, "warning"),
    (60, "failed"), (-3600, "failed"),
  ])
  func `the verdict depends on the clock's difference`(_ seconds: Double, _ expected: String) {
    #expect(verdict(check(seconds)) == expected)
  }

  @Test func `the direction of the difference is reported`() {
    #expect(check(90).first?.detail == "90 seconds ahead: valid tokens are rejected")
    #expect(check(-90).first?.detail == "90 seconds behind: valid tokens are rejected")
  }

  @Test func `one wrong clock among the others doesn't matter`() {
    #expect(verdict(check(1, 86_400, 0)) == "ok")
  }

  @Test(arguments: ["", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT"])
  func `a date in another form than HTTP's is ignored`(_ text: String) {
    #expect(verdict(ClockCheck.findings([(text, Self.time)])) == "warning")
  }
}

@Suite struct RoomCheckTests {
  private static let mebibyte: Int64 = 1 << 20

  @Test(
    arguments: [
      (99, 1, "failed"), (100, 1, "warning"), (1023, 1, "warning"), (1024, 1, "ok"),
      (1024, 600, "warning"), (1200, 600, "ok"),
    ] as [(Int64, Int64, String)])
  func `the disk needs room for twice the database`(
    _ free: Int64, _ database: Int64, _ expected: String
  ) {
    let finding = RoomCheck.disk(
      freeBytes: free * Self.mebibyte, databaseBytes: database * Self.mebibyte)
    #expect(verdict([finding]) == expected)
  }

  @Test(
    arguments: [(255, "failed"), (256, "warning"), (4095, "warning"), (4096, "ok")]
      as [(UInt64, String)])
  func `connections need file descriptors`(_ limit: UInt64, _ expected: String) {
    #expect(verdict([RoomCheck.descriptors(limit: limit)]) == expected)
  }

  @Test func `a log that doesn't shrink gives a warning`() {
    #expect(verdict([RoomCheck.log(bytes: 255 * Self.mebibyte)]) == "ok")
    #expect(verdict([RoomCheck.log(bytes: 256 * Self.mebibyte)]) == "warning")
  }
}

@Suite struct FileCheckTests {
  @Test func `only its owner may access a file, and the server runs as the owner`() throws {
    try withFolder { folder in
      let path = folder + "/master.key"
      _ = FileManager.default.createFile(
        atPath: path, contents: Data(), attributes: [.posixPermissions: 0o600])
      let owner = geteuid()
      #expect(verdict(FileCheck.findings("key", path, owner: owner)) == "ok")
      #expect(verdict(FileCheck.findings("key", path, owner: owner + 1)) == "failed")
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      let open = FileCheck.findings("key", path, owner: owner)
      #expect(
        open == [
          Finding(
            "key", .failed(remedy: "Run: chmod 600 \(path)"),
            "other users may access \(path) (mode 640)")
        ])
      #expect(verdict(FileCheck.findings("key", path + "2", owner: owner)) == "failed")
    }
  }
}

@Suite struct CertificateCheckTests {
  private static let end = Date(timeIntervalSince1970: 784_111_777)
  private static let day: TimeInterval = 86_400

  @Test(
    arguments: [
      (90, "ok"), (14, "ok"), (13.9, "warning"), (0.1, "warning"), (0, "failed"), (-1, "failed"),
    ] as [(Double, String)])
  func `a certificate that expires soon gives a warning, and an expired one fails`(
    _ days: Double, _ expected: String
  ) {
    let now = Self.end.addingTimeInterval(-days * Self.day)
    #expect(verdict([CertificateCheck.finding(expiresAt: Self.end, now: now)]) == expected)
  }

  @Test func `the expiry of a certificate is reported`() {
    let finding = CertificateCheck.finding(
      expiresAt: Self.end, now: Self.end.addingTimeInterval(-30.5 * Self.day))
    #expect(finding.detail == "valid until 1994-11-06T08:49:37Z, 30 days")
  }
}

@Suite struct PortCheckTests {
  @Test func `a port in use fails, unless a running server has it`() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer -> Int in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard bind(descriptor, address, length) == 0, listen(descriptor, 1) == 0,
          getsockname(descriptor, address, &length) == 0
        else { return 0 }
        return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    try #require(port > 0)
    let own = getpid()
    let taken = PortCheck.finding(port: port, flag: "--port", servers: [])
    #expect(verdict([taken]) == "failed")
    #expect(taken.detail.contains("(process \(own))"))
    let served = PortCheck.finding(port: port, flag: "--port", servers: [own])
    #expect(verdict([served]) == "ok")
  }

  @Test func `any free port passes`() {
    let finding = PortCheck.finding(port: 0, flag: "--port", servers: [])
    #expect(verdict([finding]) == "ok")
  }
}

@Suite struct DatabaseCheckTests {
  private func withDatabase(_ body: (String, MasterKey) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gatehouse-doctor-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = try #require(MasterKey.random()).key
    let store = try SQLiteStore.open(at: folder, sealing: SecretBox(key))
    try await store.write { transaction in
      try transaction.setServerValue("mode", to: Array("production".utf8))
      try MasterKeyRotation.stamp(transaction, with: key)
    }
    await store.close()
    try await body(folder.path, key)
  }

  @Test func `an intact database of this mode and master key passes`() async throws {
    try await withDatabase { folder, key in
      let findings = DatabaseCheck.findings(
        in: folder, mode: "production", keys: MasterKeyRing(key))
      #expect(findings.map(\.check) == ["database", "mode", "master key"])
      #expect(verdict(findings) == "ok ok ok")
    }
  }

  @Test func `another mode and another master key each fail`() async throws {
    try await withDatabase { folder, key in
      let other = try #require(MasterKey.random()).key
      #expect(
        verdict(DatabaseCheck.findings(in: folder, mode: "dev", keys: MasterKeyRing(key)))
          == "ok failed ok")
      #expect(
        verdict(DatabaseCheck.findings(in: folder, mode: "production", keys: MasterKeyRing(other)))
          == "ok ok failed")
    }
  }

  /// The remedy for the master key of `folder`, if `keys` are held.
  private func remedy(_ folder: String, _ keys: [MasterKey]) throws -> String? {
    let ring = try #require(MasterKeyRing(keys))
    let findings = DatabaseCheck.findings(in: folder, mode: "production", keys: ring)
    return switch try #require(findings.last).verdict {
    case .ok: nil
    case .warning(let remedy), .failed(let remedy): remedy
    }
  }

  @Test func `a finished rotation needs no further step`() async throws {
    try await withDatabase { folder, old in
      let new = try #require(MasterKey.random()).key
      #expect(try remedy(folder, [old, new]) == "Finish it: gatehouse keys rotate-master")

      let ring = try #require(MasterKeyRing([old, new]))
      let store = try SQLiteStore.open(
        at: URL(fileURLWithPath: folder, isDirectory: true), sealing: SecretBox(ring))
      let rotation = MasterKeyRotation(store: store, ring: ring)
      #expect(try await rotation.begin(new.id, now: Date(timeIntervalSince1970: 784_111_777)))
      #expect(try remedy(folder, [old, new]) == "Finish it: gatehouse keys rotate-master")
      _ = try await rotation.reseal()
      await store.close()
      #expect(try remedy(folder, [old, new])?.hasSuffix("gatehouse keys retire-master") == true)
      #expect(try remedy(folder, [new]) == nil)
    }
  }

  @Test func `a file that is no database fails`() throws {
    try withFolder { folder in
      let path = folder + "/" + SQLiteStore.fileName
      try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
      let findings = DatabaseCheck.findings(in: folder, mode: "production", keys: nil)
      #expect(verdict(findings) == "failed")
    }
  }
}

@Suite struct PublicURLCheckTests {
  private struct Answers: OutboundTransport {
    let bodies: [String: String]

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
      for (suffix, body) in bodies where "\(request.url)".hasSuffix(suffix) {
        return OutboundResponse(status: 200, body: Array(body.utf8))
      }
      throw .notConnected(host: request.url.host)
    }
  }

  private static let issuer = "https://auth.example.com/my-app"
  private static let discovery = """
    {"issuer":"\(issuer)","jwks_uri":"\(issuer)/.well-known/jwks.json"}
    """

  private func check(
    discovery: String? = Self.discovery, keys: String = #"{"keys":[{"kid":"ours"}]}"#,
    publicURL: String = "https://auth.example.com"
  ) async throws -> String {
    let project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: Self.issuer,
      authorizedDomains: [], policies: ProjectPolicies())
    var bodies = ["jwks.json": keys]
    bodies["openid-configuration"] = discovery
    let check = PublicURLCheck(publicURL, transport: Answers(bodies: bodies))
    return verdict(await check.findings(for: project, keyID: "ours"))
  }

  @Test func `a document with our issuer and our key passes`() async throws {
    #expect(try await check() == "ok")
  }

  @Test func `other keys, another issuer and no response each fail`() async throws {
    #expect(try await check(keys: #"{"keys":[{"kid":"theirs"}]}"#) == "failed")
    #expect(try await check(discovery: "{}") == "failed")
    #expect(try await check(discovery: "<html>") == "failed")
    #expect(try await check(discovery: nil) == "failed")
    #expect(try await check(publicURL: "https://other.example.com") == "failed")
  }
}

@Suite struct DoctorReportTests {
  private static let findings = [
    Finding("a", .ok, "fine"), Finding("b", .warning(remedy: "Look."), "odd"),
    Finding("c", .failed(remedy: "Say \"no\"."), "broken"),
  ]

  @Test func `a report is healthy if nothing failed`() {
    var report = DoctorReport()
    report.findings = Array(Self.findings.prefix(2))
    #expect(report.isHealthy)
    report.findings = Self.findings
    #expect(!report.isHealthy)
  }

  @Test func `a report has lines for people and JSON for programs`() {
    var report = DoctorReport()
    report.findings = Self.findings
    #expect(
      report.lines == [
        "ok    a: fine", "note  b: odd", "      Look.", "FAIL  c: broken", "      Say \"no\".",
      ])
    #expect(
      report.json
        == #"{"healthy":false,"findings":[{"check":"a","verdict":"ok","detail":"fine"},"#
        + #"{"check":"b","verdict":"warning","detail":"odd","remedy":"Look."},"#
        + #"{"check":"c","verdict":"failed","detail":"broken","remedy":"Say \"no\"."}]}"#)
  }
}
