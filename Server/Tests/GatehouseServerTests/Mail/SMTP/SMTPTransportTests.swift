import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Against PyPI's aiosmtpd, in a process for each test.
@Suite struct SMTPTransportTests {
  @Test(arguments: [
    ("tls", SMTPServer.Mechanism.plain), ("starttls", .plain), ("tls", .login),
    ("starttls", .xoauth2),
  ])
  func `a message arrives once, over TLS, as it was composed`(
    security: String, mechanism: SMTPServer.Mechanism
  ) async throws {
    let server = try await TestServer(security)
    let mail = try sample(text: "Hello\n.\n..\n.dots\n\nüé\n")
    let secret = mechanism == .xoauth2 ? "good-token" : "correct"
    let transport = SMTPTransport(to: try server.settings(mechanism, secret: secret))
    #expect(await transport.send(mail) == .delivered(reply: "250 2.0.0 taken as 4711"))
    let arrived = try await server.report()
    #expect(arrived.messages.map(\.content) == [Data(mail.bytes.reveal())])
    #expect(arrived.messages.map(\.from) == ["noreply@example.com"])
    #expect(arrived.messages.map(\.to) == [["ada@example.com"]])
    #expect(arrived.messages.map(\.hello) == ["auth.example.com"])
    #expect(arrived.messages.map(\.mechanism) == [mechanism.rawValue])
  }

  @Test func `on loopback, a message arrives without TLS and without a user`() async throws {
    let server = try await TestServer("none")
    var settings = try server.settings()
    settings.credentials = nil
    let result = await SMTPTransport(to: settings).send(try sample())
    #expect(result == .delivered(reply: "250 2.0.0 taken as 4711"))
    #expect(try await server.report().messages.count == 1)
  }

  @Test func `an address beyond ASCII gets its message from a server with SMTPUTF8`() async throws {
    let server = try await TestServer("starttls", "utf8")
    let transport = SMTPTransport(to: try server.settings(), threads: 1)
    let mails = try ["用户@example.com", "ada@example.com"].map { try sample(to: $0) }
    for mail in mails { #expect(await transport.send(mail).isDelivered) }
    let arrived = try await server.report()
    #expect(arrived.messages.map(\.to) == [["用户@example.com"], ["ada@example.com"]])
    #expect(arrived.messages.map(\.utf8) == [true, false])
    #expect(arrived.messages.map(\.content) == mails.map { Data($0.bytes.reveal()) })
    #expect(String(decoding: arrived.messages[0].content, as: UTF8.self).contains("To: 用户@"))
  }

  @Test func `to a server without SMTPUTF8 only its message isn't sent`() async throws {
    let server = try await TestServer("tls")
    let transport = SMTPTransport(to: try server.settings(), threads: 1)
    #expect(await transport.send(try sample()).isDelivered)
    #expect(
      await transport.send(try sample(to: "用户@example.com"))
        == .permanent(
          code: 550,
          text: "the address has letters beyond ASCII, and the mail server does not offer SMTPUTF8")
    )
    #expect(await transport.send(try sample()).isDelivered)
    #expect(
      try await server.report().messages.map(\.to) == [["ada@example.com"], ["ada@example.com"]])
  }

  @Test func `a connection is used for several messages`() async throws {
    let server = try await TestServer("tls")
    let transport = SMTPTransport(to: try server.settings(), threads: 1)
    for _ in 0..<5 { #expect(await transport.send(try sample()).isDelivered) }
    let arrived = try await server.report()
    #expect(arrived.messages.count == 5)
    #expect(arrived.connections == 1)
  }

  @Test(arguments: ["idle-drop", "idle-421"])
  func `a kept connection that the server has closed is replaced`(
    behaviour: String
  ) async throws {
    let server = try await TestServer("tls", behaviour)
    let transport = SMTPTransport(to: try server.settings(), threads: 1)
    for _ in 0..<4 { #expect(await transport.send(try sample()).isDelivered) }
    let arrived = try await server.report()
    #expect((arrived.messages.count, arrived.connections) == (4, 4))
  }

  @Test func `messages that are sent at the same time all arrive once`() async throws {
    let server = try await TestServer("tls")
    let transport = SMTPTransport(to: try server.settings(), threads: 3)
    let mails = try (0..<24).map { try sample(text: "number \($0)\n") }
    let delivered = await withTaskGroup(of: Bool.self) { group in
      for mail in mails { group.addTask { await transport.send(mail).isDelivered } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(delivered.allSatisfy { $0 })
    let arrived = try await server.report()
    #expect(Set(arrived.messages.map(\.content)) == Set(mails.map { Data($0.bytes.reveal()) }))
    #expect(arrived.messages.count == 24)
    #expect(arrived.connections <= 3)
  }

  @Test(arguments: [
    ("mail-421", DeliveryResult.temporary(code: 421, text: "421 4.3.2 going down")),
    ("rcpt-450", .temporary(code: 450, text: "450 4.2.1 greylisted, try again")),
    ("rcpt-550", .permanent(code: 550, text: "550-5.1.1 no such user 550 5.1.1 really")),
    ("end-451", .temporary(code: 451, text: "451 4.3.0 try again")),
    ("end-554", .permanent(code: 554, text: "554 5.7.1 looks like spam")),
    ("greeting-421", .temporary(code: 421, text: "421 no mail here")),
    ("greeting-554", .misconfigured("the server refuses this host: 554 no mail here")),
    (
      "mail-530",
      .misconfigured("the server requires authentication: 530 5.7.0 authentication required")
    ),
  ])
  func `a refusal is temporary, permanent or the operator's`(
    behaviour: String, result: DeliveryResult
  ) async throws {
    let server = try await TestServer("tls", behaviour)
    #expect(await SMTPTransport(to: try server.settings()).send(try sample()) == result)
    #expect(try await server.report().messages.isEmpty)
  }

  @Test func `a reply is one short line without control characters`() async throws {
    let server = try await TestServer("tls", "rcpt-control")
    let result = await SMTPTransport(to: try server.settings()).send(try sample())
    guard case .permanent(code: 550, let text) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(text.hasPrefix("550 a?[31mb? c xxx"))
    #expect(text.utf8.count == 500)
  }

  @Test func `a reply has neither addresses nor codes`() async throws {
    let server = try await TestServer("tls", "rcpt-private")
    #expect(
      await SMTPTransport(to: try server.settings()).send(try sample())
        == .permanent(
          code: 550,
          text: "550 [address] no, see https://auth.example.com/action?[...] or [address]"))
  }

  @Test func `a connection that breaks within the message doesn't end the process`() async throws {
    let server = try await TestServer("tls", "message-drop")
    let mail = try sample(text: String(repeating: "Hello\n", count: 1_000_000))
    guard case .unreachable = await SMTPTransport(to: try server.settings()).send(mail) else {
      Issue.record("delivered")
      return
    }
  }

  @Test(arguments: ["data-drop", "greeting-silent"])
  func `a connection that breaks before the message was sent can be tried again`(
    behaviour: String
  ) async throws {
    let server = try await TestServer("tls", behaviour)
    let result = await SMTPTransport(to: try server.settings(total: 2)).send(try sample())
    guard case .unreachable = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test(arguments: ["end-drop", "end-silent"])
  func `after the message was sent, nobody knows`(behaviour: String) async throws {
    let server = try await TestServer("tls", behaviour)
    let result = await SMTPTransport(to: try server.settings(total: 2)).send(try sample())
    guard case .unknown = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test(arguments: ["smtps://127.0.0.1:1", "smtps://mail.invalid"])
  func `no server is unreachable`(url: String) async throws {
    let transport = SMTPTransport(to: try SMTPServer(url: url))
    guard case .unreachable = await transport.send(try sample()) else {
      Issue.record("delivered")
      return
    }
  }

  @Test(arguments: ["tls", "starttls"])
  func `a certificate for another name is refused`(security: String) async throws {
    let server = try await TestServer(security, "accept", name: "other.example.com")
    let result = await SMTPTransport(to: try server.settings()).send(try sample())
    guard case .misconfigured(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.hasPrefix("the server's certificate is not valid for its name: "))
    #expect(try await server.report().messages.isEmpty)
  }

  @Test(arguments: ["tls", "starttls"])
  func `a certificate of an unknown authority is refused`(security: String) async throws {
    let server = try await TestServer(security)
    var settings = try server.settings()
    settings.certificateAuthorityFile = nil
    guard case .misconfigured = await SMTPTransport(to: settings).send(try sample()) else {
      Issue.record("delivered")
      return
    }
    #expect(try await server.report().messages.isEmpty)
  }

  @Test func `without STARTTLS, nothing is sent`() async throws {
    let server = try await TestServer("none")
    var settings = try server.settings()
    settings.requireStartTLS()
    let result = await SMTPTransport(to: settings).send(try sample())
    #expect(result == .misconfigured("the server does not offer STARTTLS"))
    #expect(try await server.report().messages.isEmpty)
  }

  @Test(arguments: SMTPServer.Mechanism.allCases)
  func `a wrong password is the operator's to change`(
    mechanism: SMTPServer.Mechanism
  ) async throws {
    let server = try await TestServer("tls")
    let settings = try server.settings(mechanism, secret: "wrong-password")
    let result = await SMTPTransport(to: settings).send(try sample())
    guard case .misconfigured(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.hasPrefix("the server refuses the user name or the password: 535"))
    #expect(!reason.contains("wrong-password"))
  }

  @Test func `a mechanism that the server doesn't offer is not replaced by another`() async throws {
    let server = try await TestServer("tls", "auth-login-only")
    let result = await SMTPTransport(to: try server.settings(.plain)).send(try sample())
    #expect(
      result
        == .misconfigured("the server does not offer the configured mechanism of authentication"))
  }

  @Test func `more messages than the limit don't wait`() async throws {
    let server = try await TestServer("tls", "end-silent")
    let transport = SMTPTransport(to: try server.settings(total: 2), threads: 1, limit: 1)
    let results = try await withThrowingTaskGroup(of: DeliveryResult.self) { group in
      for _ in 0..<2 { group.addTask { await transport.send(try sample()) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.contains(.unreachable("too many messages wait for the mail server")))
  }
}

extension DeliveryResult {
  var isDelivered: Bool { if case .delivered = self { true } else { false } }
}
