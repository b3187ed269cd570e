import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Against a real server: Debian's Exim (exim4-daemon-light), on loopback with TLS and AUTH.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/exim4")))
struct EximTests {
  private struct Start: Decodable {
    let tls: Int
    let starttls: Int
    let authority: String

    func settings(
      _ security: SMTPServer.Security, _ mechanism: SMTPServer.Mechanism = .plain,
      secret: String = "correct"
    ) throws -> SMTPServer {
      var server = try SMTPServer(
        url: security == .tls ? "smtps://localhost:\(tls)" : "smtp://localhost:\(starttls)")
      server.requireStartTLS()
      server.credentials = SMTPServer.Credentials(
        user: "gatehouse", secret: Secret(secret), mechanism: mechanism)
      server.certificateAuthorityFile = authority
      server.greetingName = "auth.example.com"
      return server
    }
  }

  @Test func `every message is delivered once, as it was composed`() async throws {
    let exim = try PythonProgram("exim_server.py", [])
    let start = try await exim.answer(Start.self)
    let mails = try (0..<40).map { try sample(text: ".\n..\n.number \($0)\nüé\n") }
    for (security, mechanism, part) in [
      (SMTPServer.Security.tls, SMTPServer.Mechanism.plain, mails[..<20]),
      (.startTLS, .login, mails[20...]),
    ] {
      let transport = SMTPTransport(to: try start.settings(security, mechanism), threads: 2)
      let results = await withTaskGroup(of: DeliveryResult.self) { group in
        for mail in part { group.addTask { await transport.send(mail) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.filter { !$0.isDelivered } == [])
    }
    try exim.finish()
    let delivered = try await exim.answer([Data].self).map { String(decoding: $0, as: UTF8.self) }
    #expect(delivered.count == 40)
    for mail in mails {
      let text = String(decoding: mail.bytes.reveal(), as: UTF8.self)
        .replacingOccurrences(of: "\r\n", with: "\n")
      #expect(delivered.filter { $0.hasSuffix("\n" + text) }.count == 1)
    }
  }

  @Test func `an address beyond ASCII gets its message`() async throws {
    let exim = try PythonProgram("exim_server.py", [])
    let start = try await exim.answer(Start.self)
    let transport = SMTPTransport(to: try start.settings(.startTLS), threads: 1)
    #expect(await transport.send(try sample(to: "用户@example.com")).isDelivered)
    try exim.finish()
    let delivered = try await exim.answer([Data].self).map { String(decoding: $0, as: UTF8.self) }
    #expect(delivered.count == 1)
    #expect(delivered[0].contains("\nTo: 用户@example.com\n"))
  }

  @Test func `refusals of a real server are told apart`() async throws {
    let exim = try PythonProgram("exim_server.py", [])
    let start = try await exim.answer(Start.self)
    let transport = SMTPTransport(to: try start.settings(.startTLS), threads: 1)
    #expect(
      await transport.send(try sample(to: "ada@example.org"))
        == .permanent(code: 550, text: "550 no such user"))
    #expect(
      await transport.send(try sample(to: "busy@example.com"))
        == .temporary(code: 451, text: "451 try again"))
    let wrong = SMTPTransport(to: try start.settings(.tls, secret: "wrong"))
    #expect(
      await wrong.send(try sample())
        == .misconfigured(
          "the server refuses the user name or the password: 535 Incorrect authentication data"))
    #expect(await transport.send(try sample()).isDelivered)
    try exim.finish()
    #expect(try await exim.answer([Data].self).count == 1)
  }
}
