import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging
import Synchronization
import Testing

@Suite struct QueuedMailerTests {
  @Test func `an accepted email is sent`() async throws {
    let scene = try Scene([.delivered(reply: "250 ok")])
    #expect(try await scene.send() == "sent")
    let mail = try #require(scene.mails.first)
    #expect(mail.sender == "noreply@example.com")
    #expect(mail.recipient == "ann@example.com")
  }

  @Test(
    arguments: [
      (.temporary(code: 450, text: "450 greylisted"), "retry: 450 greylisted"),
      (.permanent(code: 550, text: "550 no such user"), "failed: 550 no such user"),
      (.unreachable("no route"), "retry: no route"),
      (.misconfigured("the password is wrong"), "retry: the password is wrong"),
      (.unknown("it broke off"), "retry: it broke off; the email may have arrived"),
    ] as [(DeliveryResult, String)])
  func `what the server says decides whether it is tried again`(
    _ result: DeliveryResult, _ expected: String
  ) async throws {
    #expect(try await Scene([result]).send() == expected)
  }

  @Test(
    arguments: [
      (.temporary(code: 421, text: "421 closing"), "421 closing"),
      (.busy(seconds: 30, text: "wait"), "wait"), (.unreachable("no route"), "no route"),
      (.misconfigured("the password is wrong"), "the password is wrong"),
    ] as [(DeliveryResult, String)])
  func `a server that takes no mail is left alone for a while`(
    _ result: DeliveryResult, _ reason: String
  ) async throws {
    let scene = try Scene([result])
    _ = try await scene.send()
    #expect(try await scene.send() == "retry: mail waits: \(reason)")
    #expect(scene.mails.count == 1)
    scene.advance(QueuedMailer.pauseSeconds)
    #expect(try await scene.send() == "sent")
    #expect(scene.mails.count == 2)
  }

  @Test func `a refusal of one recipient stops no other email`() async throws {
    let scene = try Scene([.permanent(code: 550, text: "550 no such user")])
    _ = try await scene.send()
    #expect(try await scene.send() == "sent")
  }

  @Test func `an address that no email can have fails, and no server is asked`() async throws {
    let scene = try Scene([])
    #expect(
      try await scene.send(to: "用..户@example.com").hasPrefix(
        "failed: an address of this email can't be used"))
    #expect(scene.mails.isEmpty)
  }

  @Test func `an email to an address beyond ASCII needs SMTPUTF8`() async throws {
    let scene = try Scene([.delivered(reply: "250 ok")])
    #expect(try await scene.send(to: "用户@example.com") == "sent")
    #expect(scene.mails.first?.needsSMTPUTF8 == true)
  }

  @Test(arguments: [true, false])
  func `Apple's relay gets mail only from a sender that it knows`(_ isKnown: Bool) async throws {
    let scene = try Scene([], isKnownToAppleRelay: isKnown)
    let answer = try await scene.send(to: "k3x0f9@privaterelay.appleid.com")
    #expect(
      answer
        == (isKnown
          ? "sent"
          : "failed: Apple's relay doesn't know the sender: see the setting mail.appleRelay"))
    #expect(scene.mails.count == (isKnown ? 1 : 0))
    #expect(try await scene.send(to: "ann@example.com") == "sent")
  }

  @Test func `a repeated email has the same Message-ID`() async throws {
    let scene = try Scene([.unknown("it broke off")])
    _ = try await scene.send()
    _ = try await scene.send()
    let ids = try scene.mails.map { mail in
      try #require(
        String(decoding: mail.bytes.reveal(), as: UTF8.self).split(separator: "\r\n")
          .first { $0.hasPrefix("Message-ID:") })
    }
    #expect(ids.count == 2)
    #expect(Set(ids).count == 1)
  }
}

/// A mailer whose server answers with the results in turn, then that it took the email.
private struct Scene {
  private final class Server: Sendable {
    private let state: Mutex<(results: [DeliveryResult], mails: [ComposedMail], now: Date)>

    init(_ results: [DeliveryResult]) { state = Mutex((results, [], OutboxWorld.start)) }

    var mails: [ComposedMail] { state.withLock { $0.mails } }
    var now: Date { state.withLock { $0.now } }

    func advance(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }

    func take(_ mail: ComposedMail) -> DeliveryResult {
      state.withLock { state in
        state.mails.append(mail)
        return state.results.isEmpty ? .delivered(reply: "250 ok") : state.results.removeFirst()
      }
    }
  }

  private let server: Server
  private let mailer: QueuedMailer
  private let id = OutboxID.random()

  init(_ results: [DeliveryResult], isKnownToAppleRelay: Bool = false) throws {
    let server = Server(results)
    self.server = server
    mailer = QueuedMailer(
      sendsToAppleRelay: isKnownToAppleRelay,
      writer: MailWriter(
        from: try Mailbox(address: "noreply@example.com"), templates: try MailTemplates()),
      transport: { message, _ in server.take(message.composed) }, clock: { server.now },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  var mails: [ComposedMail] { server.mails }

  func advance(_ seconds: TimeInterval) { server.advance(seconds) }

  func send(to recipient: String = "ann@example.com") async throws -> String {
    let json = OutboxWorld.mail().replacing("ann@example.com", with: recipient)
    let task = try #require(OutboxTask(stored: Array(json.utf8)))
    guard case .sendMail(let mail) = task else { return "no email" }
    let project = Project(
      id: try #require(ProjectID("test-project")), number: 1,
      issuer: "https://auth.example.com/test-project", authorizedDomains: [],
      policies: ProjectPolicies())
    let order = MailOrder(id: id, task: mail, project: project, displayName: nil)
    return switch await mailer.send(order) {
    case .sent: "sent"
    case .retry(let reason): "retry: \(reason)"
    case .failed(let reason): "failed: \(reason)"
    }
  }
}
