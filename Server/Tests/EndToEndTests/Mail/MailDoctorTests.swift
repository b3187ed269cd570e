import Foundation
import Testing

/// `doctor mail` with a mail server, and a name server that has the records of a test.
@Suite(.serialized) struct MailDoctorTests {
  /// An RSA key of 2048 bits, as OpenSSL writes it.
  private static let key =
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxowlHfkt9KEoWY6xB6I74v9EEpSj3JFTY/Puqy/6"
    + "njJNskAAya0HYo09N8Fk41PXcxXLBbGFAuFgd6LnMhVYQSmSwYftus8zXeH5rYLzmGSTSGLUNvDEHbR/hISS"
    + "NVbYoyuKlwDNPLAh9fLS3We8JDwXuA2teb4ZDmYH4fsdKOrKbTXXz683LP0NmUm9d+bQxtZNlcyV7UPskM2w"
    + "/65W7Y+YWMs/ld9R+juY+JzRIFX0mdNX3T8L4isBg84RixExO/qTs6deexPwT+39y62FMw8eZQAZseBXESzX"
    + "zfuxFQ1REApFxs1aF9jk6OnCCBl8XdEi7CiUOfCtS9Ky6BBn+wIDAQAB"

  /// The name, type and value of each record, in a flat list.
  private static let records = [
    // Two TXT records, which together are longer than a datagram.
    "example.com", "TXT", "v=spf1 include:spf.example.net -all",
    "example.com", "TXT", "verification=" + String(repeating: "x", count: 600),
    "spf.example.net", "TXT", "v=spf1 a mx ip4:192.0.2.0/24 -all",
    "_dmarc.example.com", "TXT", "v=DMARC1; p=quarantine",
    // The mail provider has the DKIM key in its own zone.
    "s1._domainkey.example.com", "CNAME", "key.example.net.",
    "key.example.net", "TXT", "v=DKIM1; k=rsa; p=" + key,
    "example.com", "MX", "20 second.example.com.", "example.com", "MX", "10 first.example.com.",
  ]

  @Test func `a domain whose mail arrives has no fault`() async throws {
    try await withServers(Self.records) { mail, dns in
      let checked = try await doctor(mail, dns, "--dkim-selector", "s1")
      #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
      let lines = checked.output.split(separator: "\n").map(String.init)
      #expect(
        lines.contains(
          "ok    mail server: 127.0.0.1:\(mail) is reached without TLS, on this machine"))
      #expect(lines.contains("ok    SPF: example.com has one record, with 3 of 10 lookups"))
      #expect(lines.contains("ok    DKIM: s1._domainkey.example.com has a key"))
      #expect(lines.contains("ok    DMARC: _dmarc.example.com asks for p=quarantine"))
      #expect(
        lines.contains("ok    MX: example.com takes mail at first.example.com, second.example.com"))
      #expect(
        checked.output.contains(
          "register the domain example.com and the address noreply@example.com with Apple"))
    }
  }

  @Test func `a domain without records fails, and each remedy says what to publish`() async throws {
    try await withServers(["other.example", "TXT", "x"]) { mail, dns in
      let checked = try await doctor(mail, dns, "--dkim-selector", "s1")
      #expect(checked.status == 1)
      for text in [
        "FAIL  SPF: example.com has no record", "FAIL  DMARC: example.com has no record",
        "FAIL  DKIM: there is no key at s1._domainkey.example.com",
        "note  MX: example.com has no MX record",
        "Publish a TXT record at _dmarc.example.com: “v=DMARC1; p=quarantine”.",
      ] { #expect(checked.output.contains(text), "\(checked.output)") }
    }
  }

  @Test func `a test email is sent only if it is asked for`() async throws {
    try await withServers(Self.records) { mail, dns, received in
      _ = try await doctor(mail, dns)
      #expect(try await received().isEmpty)
      let checked = try await doctor(mail, dns, "--to", "ops@example.com")
      #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
      #expect(checked.output.contains("note  test email: 127.0.0.1:\(mail) took it: "))
      #expect(try await received().map { $0["recipients"] } == [["ops@example.com"]])
    }
  }

  @Test func `a mail server or name server that isn't there is named`() async throws {
    let free = try await FreePort.next()
    let checked = try await doctor(free, free, "--json")
    #expect(checked.status == 1)
    let findings = JSON(reading: Data(checked.output.utf8))["findings"].array
    let server = findings.first { $0["check"] == "mail server" }
    #expect(server?["verdict"] == "failed")
    #expect(server?["detail"].string?.hasPrefix("127.0.0.1:\(free) can't be reached: ") == true)
    let spf = findings.first { $0["check"] == "SPF" }
    #expect(spf?["verdict"] == "warning")
    #expect(spf?["detail"] == "unknown: no name server answers")
  }

  @Test(arguments: ["localhost", "::1", "127.0.0.1:0", "127.0.0.1:", "127.0.0.1:99999"])
  func `another form of a name server is refused`(_ server: String) async throws {
    let refused = try await TemporaryFolder.with { folder in
      try await Command.run(
        ["doctor", "mail", "--name-server", server], environment: Self.environment(1), in: folder)
    }
    #expect(refused.status != 0)
    #expect(refused.errors.contains("--name-server “\(server)” is not an IPv4 address"))
  }

  private static func environment(_ mail: Int) -> [String: String] {
    [
      "GATEHOUSE_MAIL_SERVER": "smtp://127.0.0.1:\(mail)",
      "GATEHOUSE_MAIL_FROM": "Notes <noreply@example.com>",
      "GATEHOUSE_PUBLIC_URL": Production.publicURL,
      "GATEHOUSE_MASTER_KEY": Data(count: 32).base64EncodedString(),
    ]
  }

  private func doctor(_ mail: Int, _ dns: Int, _ arguments: String...) async throws -> Command {
    try await TemporaryFolder.with { folder in
      try await Command.run(
        ["doctor", "mail", "--name-server", "127.0.0.1:\(dns)"] + arguments,
        environment: Self.environment(mail), in: folder)
    }
  }

  private func withServers(
    _ records: [String], _ body: (Int, Int) async throws -> Void
  ) async throws {
    try await withServers(records) { mail, dns, _ in try await body(mail, dns) }
  }

  private func withServers(
    _ records: [String], _ body: (Int, Int, () async throws -> [JSON]) async throws -> Void
  ) async throws {
    try await Python.serve("mail_server.py") { mail in
      try await Python.serve("name_server.py", records) { dns in
        let control = "http://127.0.0.1:\(Int(mail["http"].number ?? 0))/"
        try await body(Int(mail["smtp"].number ?? 0), Int(dns["port"].number ?? 0)) {
          try await HTTP.get(control).json["messages"].array
        }
      }
    }
  }
}
