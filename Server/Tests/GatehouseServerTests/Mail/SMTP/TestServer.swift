import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// `Clients/smtp_server.py` in a process of its own.
final class TestServer {
  struct Report: Decodable, Sendable {
    struct Message: Decodable, Sendable {
      let from: String
      let to: [String]
      let hello: String
      let mechanism: String?
      /// Whether the client named SMTPUTF8.
      let utf8: Bool
      /// As it came over the wire, without the dots of RFC 5321 §4.5.2.
      let content: Data
    }

    let messages: [Message]
    let connections: Int
  }

  private struct Start: Decodable {
    let port: Int
    let authority: String
  }

  private let program: PythonProgram
  private let start: Start

  init(_ security: String, _ behaviour: String = "accept", name: String = "localhost") async throws
  {
    let program = try PythonProgram("smtp_server.py", [security, behaviour, name])
    start = try await program.answer(Start.self)
    self.security = security
    self.program = program
  }

  private let security: String

  /// The right ones for this server.
  func settings(
    _ mechanism: SMTPServer.Mechanism = .plain, secret: String = "correct", total: Int = 30
  ) throws -> SMTPServer {
    var server = try SMTPServer(
      url: "\(security == "tls" ? "smtps" : "smtp")://localhost:\(start.port)")
    // The host is loopback, where STARTTLS isn't required otherwise.
    if security == "starttls" { server.requireStartTLS() }
    server.credentials = SMTPServer.Credentials(
      user: "gatehouse", secret: Secret(secret), mechanism: mechanism)
    server.certificateAuthorityFile = start.authority
    server.greetingName = "auth.example.com"
    server.timeouts.total = total
    return server
  }

  /// Ends the server.
  func report() async throws -> Report {
    try program.finish()
    return try await program.answer(Report.self)
  }
}

func sample(
  text: String = "Hello\n", to recipient: String = "ada@example.com"
) throws -> ComposedMail {
  MailMessage(
    from: try Mailbox(address: "noreply@example.com", name: "Example"),
    to: try Mailbox(recipient: try #require(EmailAddress(recipient))),
    content: Secret(MailContent(subject: "Hello", text: text, html: nil)), language: .english,
    id: try #require(MessageID(unique: "msg-1", domain: "example.com")),
    date: Date(timeIntervalSince1970: 1_577_836_800)
  ).composed
}
