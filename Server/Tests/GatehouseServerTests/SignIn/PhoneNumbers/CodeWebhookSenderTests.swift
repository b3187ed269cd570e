import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging
import Synchronization
import Testing

/// A receiver in memory: returns these responses, then repeats the last, and keeps the requests.
private final class Receiver: OutboundTransport {
  private let answers: Mutex<[Result<Int, OutboundError>]>
  private let received = Mutex<[OutboundRequest]>([])

  init(_ answers: [Result<Int, OutboundError>]) { self.answers = Mutex(answers) }
  convenience init(_ answers: Result<Int, OutboundError>...) { self.init(answers) }

  var requests: [OutboundRequest] { received.withLock { $0 } }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    received.withLock { $0.append(request) }
    let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    return OutboundResponse(status: try answer.get(), body: Array("ignored".utf8))
  }
}

/// A receiver that doesn't respond until `answer()` is called.
private final class SlowReceiver: OutboundTransport {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  var waitingCount: Int { waiting.withLock { $0.count } }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    await withCheckedContinuation { continuation in
      waiting.withLock { $0.append(continuation) }
    }
    return OutboundResponse(status: 204, body: [])
  }

  func answer() {
    let continuations = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for continuation in continuations { continuation.resume() }
  }

  func hasCalls(_ count: Int) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
      if waitingCount == count { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }
}

@Suite struct CodeWebhookSenderTests {
  /// 2020-01-01T00:00:00Z, half a second later.
  private static let now = Date(timeIntervalSince1970: 1_577_836_800.5)

  private func webhook(
    _ url: String = "https://sms.example.com/codes",
    secret: String = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  ) throws -> CodeWebhook {
    CodeWebhook(url: url, secret: try #require(WebhookSecret(Secret(secret))))
  }

  private func message(language: String? = nil) throws -> PhoneCodeMessage {
    PhoneCodeMessage(
      project: try #require(ProjectID("my-app")), appName: "Notes & “Co”",
      phoneNumber: try #require(PhoneNumber("+15555550100")), code: Secret("012345"),
      language: language, createdAt: Self.now, expiresAt: Self.now.addingTimeInterval(600))
  }

  /// Sends, and counts the pauses.
  private func send(
    _ receiver: Receiver, language: String? = nil, webhook: CodeWebhook? = nil
  ) async throws -> Int {
    let pauses = Mutex(0)
    let sender = CodeWebhookSender(transport: receiver, clock: { Self.now }) { _ in
      pauses.withLock { $0 += 1 }
    }
    try await sender.send(
      .verificationCode(try message(language: language)), to: try webhook ?? self.webhook())
    return pauses.withLock { $0 }
  }

  private func body(_ request: OutboundRequest) throws -> JSONValue {
    try JSONValue(parsing: try #require(request.content).bytes.reveal())
  }

  private func header(_ name: String, _ request: OutboundRequest) -> String? {
    request.content?.headers.first { $0.name == name }?.value.reveal()
  }

  @Test func `an event contains the number, the code and the message`() async throws {
    let receiver = Receiver(.success(204))
    #expect(try await send(receiver, language: "de-AT") == 0)
    let request = try #require(receiver.requests.first)
    #expect(request.url.text == "https://sms.example.com/codes")
    #expect(request.content?.type == "application/json")
    #expect(request.project?.text == "my-app")
    #expect(
      try body(request) == [
        "type": "phone.verification_code", "timestamp": "2020-01-01T00:00:00Z",
        "data": [
          "project": "my-app", "appName": "Notes & “Co”", "phoneNumber": "+15555550100",
          "code": "012345", "message": "012345 ist dein Bestätigungscode für Notes & “Co”.",
          "language": "de-AT", "expiresAt": "2020-01-01T00:10:00Z",
        ],
      ])
  }

  @Test(arguments: [
    (nil, "012345 is your verification code for Notes & “Co”."),
    ("fr", "012345 is your verification code for Notes & “Co”."),
    ("deu", "012345 is your verification code for Notes & “Co”."),
    ("vi", "012345 là mã xác minh Notes & “Co” của bạn."),
    ("DE", "012345 ist dein Bestätigungscode für Notes & “Co”."),
  ])
  func `the message is in the user's language if it is supported`(
    _ language: String?, _ text: String
  ) async throws {
    let receiver = Receiver(.success(200))
    _ = try await send(receiver, language: language)
    #expect(try body(try #require(receiver.requests.first))["data"]?["message"]?.string == text)
  }

  @Test func `a temporary failure is retried up to three attempts, with one id`() async throws {
    let receiver = Receiver(
      .failure(.timedOut(host: "sms.example.com")), .success(503), .success(200))
    #expect(try await send(receiver) == 2)
    let ids = receiver.requests.map { header("webhook-id", $0) }
    #expect(ids.count == 3)
    #expect(Set(ids).count == 1)
    #expect(ids[0]?.hasPrefix("msg_") == true)
  }

  @Test func `a failure is final after three attempts`() async throws {
    let receiver = Receiver(.success(500))
    await #expect(throws: CodeWebhookFault.refused(status: 500)) { try await send(receiver) }
    #expect(receiver.requests.count == 3)
  }

  @Test(
    arguments: [
      (.success(400), .refused(status: 400)), (.success(302), .refused(status: 302)),
      (.success(410), .refused(status: 410)),
      (.failure(.cancelled), .notSent(.cancelled)),
      (
        .failure(.refusedAddress(host: "h", address: "10.0.0.1")),
        .notSent(.refusedAddress(host: "h", address: "10.0.0.1"))
      ),
      (.failure(.insecure(host: "h")), .notSent(.insecure(host: "h"))),
    ] as [(Result<Int, OutboundError>, CodeWebhookFault)])
  func `a permanent failure is not retried`(
    _ answer: Result<Int, OutboundError>, _ fault: CodeWebhookFault
  ) async throws {
    let receiver = Receiver(answer)
    await #expect(throws: fault) { try await send(receiver) }
    #expect(receiver.requests.count == 1)
  }

  /// A receiver that responds with 5xx, or whose response is lost, may have sent the message.
  @Test(
    arguments: [
      ([.success(400)], true), ([.success(409)], true), ([.success(429)], true),
      ([.success(302)], false), ([.success(500)], false),
      ([.success(503), .success(400)], false), ([.success(429), .success(400)], true),
      ([.failure(.timedOut(host: "h")), .success(409)], false),
      ([.failure(.broken(host: "h"))], false),
      ([.failure(.notConnected(host: "h"))], true),
      ([.failure(.notConnected(host: "h")), .success(400)], true),
      ([.failure(.unresolvable(host: "h"))], true), ([.failure(.cancelled)], false),
    ] as [([Result<Int, OutboundError>], Bool)])
  func `only a message that no attempt can have sent is reported as unsent`(
    _ answers: [Result<Int, OutboundError>], _ isUnsent: Bool
  ) async throws {
    let receiver = Receiver(answers)
    let sender = CodeWebhookSender(transport: receiver, clock: { Self.now }) { _ in }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let delivery = WebhookCodeDelivery(sender: sender, logger: logger)
    await #expect(throws: PhoneCodeUndelivered(isUnsent: isUnsent)) {
      try await delivery.deliver(try message(), by: try webhook())
    }
  }

  @Test func `a production server without a webhook delivers nothing, development shows it`()
    async throws
  {
    let receiver = Receiver(.success(200))
    let sender = CodeWebhookSender(transport: receiver, clock: { Self.now })
    let production = WebhookCodeDelivery(sender: sender, logger: Logger(label: "test"))
    #expect(!production.worksWithoutWebhook)
    await #expect(throws: PhoneCodeUndelivered()) {
      try await production.deliver(try message(), by: nil)
    }
    let shown = Shown()
    let development = WebhookCodeDelivery(sender: sender, logger: Logger(label: "test")) {
      shown.keep($0.code.reveal())
    }
    #expect(development.worksWithoutWebhook)
    try await development.deliver(try message(), by: nil)
    #expect(shown.codes == ["012345"])
    #expect(receiver.requests.isEmpty)
    try await development.deliver(try message(), by: try webhook())
    #expect(receiver.requests.count == 1)
  }

  @Test func `a project whose webhook hangs doesn't block other projects`() async throws {
    let receiver = SlowReceiver()
    let sender = CodeWebhookSender(transport: receiver, clock: { Self.now }) { _ in }
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let delivery = WebhookCodeDelivery(sender: sender, logger: logger)
    let (message, webhook) = (try message(), try webhook())
    let other = PhoneCodeMessage(
      project: try #require(ProjectID("other")), appName: "Other",
      phoneNumber: message.phoneNumber, code: message.code, language: nil,
      createdAt: message.createdAt, expiresAt: message.expiresAt)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 { group.addTask { try await delivery.deliver(message, by: webhook) } }
      #expect(await receiver.hasCalls(12))
      await #expect(throws: PhoneCodeUndelivered(isUnsent: true)) {
        try await delivery.deliver(message, by: webhook)
      }
      group.addTask { try await delivery.deliver(other, by: webhook) }
      #expect(await receiver.hasCalls(13))
      receiver.answer()
      try await group.waitForAll()
      // Calls that have ended make room.
      group.addTask { try await delivery.deliver(message, by: webhook) }
      #expect(await receiver.hasCalls(1))
      receiver.answer()
      try await group.waitForAll()
    }
  }

  private final class Shown: Sendable {
    private let kept = Mutex<[String]>([])
    var codes: [String] { kept.withLock { $0 } }
    func keep(_ code: String) { kept.withLock { $0.append(code) } }
  }

  @Test func `no description shows a code or a secret`() async throws {
    let receiver = Receiver(.success(200))
    _ = try await send(receiver)
    var text = ""
    dump(receiver.requests, to: &text)
    dump(try message(), to: &text)
    dump(try webhook(), to: &text)
    text += "\(try message()) \(try webhook())"
    #expect(!text.contains("012345"))
    #expect(!text.contains("MfKQ9r8GKYqr"))
  }
}

@Suite struct WebhookSecretTests {
  @Test(arguments: [
    "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not base64 at all!!!!!!!!!!!!!!!",
    // 23 bytes, and 65.
    "whsec_" + Data(repeating: 1, count: 23).base64EncodedString(),
    "whsec_" + Data(repeating: 1, count: 65).base64EncodedString(),
  ]) func `a text that is no secret of Standard Webhooks is rejected`(_ text: String) {
    #expect(WebhookSecret(Secret(text)) == nil)
  }

  @Test func `a random secret has 32 bytes, and parses as written`() throws {
    let secret = WebhookSecret.random()
    #expect(secret.bytes.reveal().count == 32)
    let read = try #require(WebhookSecret(secret.text))
    #expect(read.bytes.reveal() == secret.bytes.reveal())
    #expect(WebhookSecret.random().bytes.reveal() != secret.bytes.reveal())
  }
}
