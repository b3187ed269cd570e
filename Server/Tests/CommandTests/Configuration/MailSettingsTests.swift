import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct MailSettingsTests {
  private static let complete = [
    "mail.server": "smtps://mail.example.com", "mail.from": "Notes <noreply@example.com>",
    "mail.user": "apikey", "mail.password": "s3cret",
  ]

  private func read(
    _ change: (inout [String: String]) -> Void = { _ in }
  ) -> (settings: MailSettings?, faults: [String]) {
    var values = Self.complete
    change(&values)
    var faults: [String] = []
    let sources = SettingSources(
      flags: [:], assignments: values.map { "\($0.key)=\($0.value)" }, environment: [:], file: nil,
      faults: &faults)
    var reader = SettingReader(sources, isDevelopment: false, faults: faults)
    let settings = reader.mail(publicURL: "https://auth.example.com/path")
    return (settings, reader.faults)
  }

  @Test func `the settings name a server, a sender and a user`() throws {
    let (found, faults) = read()
    let settings = try #require(found)
    #expect(faults == [])
    let server = try #require(settings.server)
    #expect(server.host == "mail.example.com")
    #expect(server.port == 465)
    #expect(server.security == .tls)
    #expect(server.greetingName == "auth.example.com")
    #expect(server.credentials?.user == "apikey")
    #expect(server.credentials?.secret.reveal() == "s3cret")
    #expect(settings.from.address == "noreply@example.com")
    #expect(settings.from.name == "Notes")
  }

  @Test func `without a mail server there is no mail`() {
    let (settings, faults) = read { $0 = [:] }
    #expect(settings == nil)
    #expect(faults == [])
  }

  @Test(
    arguments: [
      ("mail.from", "mail.server or mail.webhook"), ("mail.user", "mail.server"),
      ("mail.password", "mail.server"),
    ])
  func `nothing about mail is given without its server`(_ key: String, _ missing: String) {
    let faults = read { $0 = [key: Self.complete[key] ?? ""] }.faults
    #expect(faults == ["\(key) is given without \(missing)"])
  }

  @Test(
    arguments: [
      ("mail.from", "mail.server is given without mail.from"),
      ("mail.user", "the mail server's password is given without mail.user"),
      ("mail.password", "mail.user is given without mail.password or mail.passwordFile"),
    ])
  func `what is missing is named`(_ key: String, _ fault: String) {
    let faults = read { $0[key] = nil }.faults
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix(fault) == true, "\(faults)")
  }

  @Test(
    arguments: [
      ("mail.server", "https://mail.example.com", "the URL must begin with smtps:// or smtp://"),
      ("mail.server", "smtps://user@mail.example.com", "the URL must not have a user"),
      ("mail.from", "noreply", "“noreply” is no email address"),
      ("mail.authentication", "NTLM", "“NTLM” is not one of PLAIN, LOGIN, XOAUTH2"),
    ])
  func `a value that can't be used is refused`(_ key: String, _ value: String, _ fault: String) {
    let (settings, faults) = read { $0[key] = value }
    #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    #expect(settings == nil || key == "mail.authentication")
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `a password is read from its file, without the line break at its end`(
    lineBreak: String
  ) throws {
    try withFolder { folder in
      let file = folder + "/password"
      try ("s3cret" + lineBreak).write(toFile: file, atomically: true, encoding: .utf8)
      let (settings, faults) = read {
        $0["mail.password"] = nil
        $0["mail.passwordFile"] = file
      }
      #expect(faults == [])
      #expect(settings?.server?.credentials?.secret.reveal() == "s3cret")
      let both = read { $0["mail.passwordFile"] = file }.faults
      #expect(both == ["both mail.password and mail.passwordFile are given; give only one"])
      let missing = read {
        $0["mail.password"] = nil
        $0["mail.passwordFile"] = file + "2"
      }.faults
      #expect(missing.first == "mail.passwordFile: “\(file)2” can't be read")
    }
  }
}

extension MailSettings {
  fileprivate var server: SMTPServer? {
    if case .server(let server) = route { server } else { nil }
  }
}
