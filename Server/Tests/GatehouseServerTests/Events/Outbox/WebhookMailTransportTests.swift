import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct WebhookMailTransportTests {
  @Test(
    arguments: [
      (200, nil, .delivered(reply: "200")), (204, nil, .delivered(reply: "204")),
      (500, nil, .temporary(code: 500, text: text(500))),
      (408, nil, .temporary(code: 408, text: text(408))),
      (425, 7, .temporary(code: 425, text: text(425))),
      (429, nil, .temporary(code: 429, text: text(429))),
      (429, 7, .busy(seconds: 7, text: text(429))), (503, 7, .busy(seconds: 7, text: text(503))),
      (503, 0, .temporary(code: 503, text: text(503))),
      (429, 86_400, .busy(seconds: 3600, text: text(429))),
      (301, nil, .misconfigured(text(301))), (401, nil, .misconfigured(text(401))),
      (403, nil, .misconfigured(text(403))), (404, nil, .misconfigured(text(404))),
      (400, nil, .permanent(code: 400, text: text(400))),
      (410, nil, .permanent(code: 410, text: text(410))),
      (422, nil, .permanent(code: 422, text: text(422))),
    ] as [(Int, Int?, DeliveryResult)])
  func `the status decides what becomes of an email`(
    _ status: Int, _ retryAfter: Int?, _ expected: DeliveryResult
  ) async throws {
    let receiver = Receiver(
      .success(OutboundResponse(status: status, retryAfter: retryAfter, body: [])))
    #expect(try await send(to: receiver) == expected)
  }

  private static func text(_ status: Int) -> String {
    "the webhook answered with status \(status)"
  }

  @Test(
    arguments: [
      (.timedOut(host: "h"), .unknown("h did not respond in time")),
      (.broken(host: "h"), .unknown("h broke the connection")),
      (.notConnected(host: "h"), .unreachable("h accepts no connection")),
      (.unresolvable(host: "h"), .unreachable("h has no address")),
      (.busy, .unreachable("too many outbound calls are in progress")),
      (
        .refusedAddress(host: "h", address: "10.0.0.1"),
        .misconfigured("h has an address which is not public")
      ),
    ] as [(OutboundError, DeliveryResult)])
  func `a failed call is tried again, and may have arrived if it was sent`(
    _ error: OutboundError, _ expected: DeliveryResult
  ) async throws {
    #expect(try await send(to: Receiver(.failure(error))) == expected)
  }

  @Test func `each secret signs, and the id is that of the queued email`() async throws {
    let receiver = Receiver(.success(OutboundResponse(status: 200, body: [])))
    let (first, second) = (WebhookSecret.random(), WebhookSecret.random())
    _ = try await send(to: receiver, secrets: [first, second])
    let content = try #require(receiver.requests.first?.content)
    #expect(content.type == "application/json")
    let headers = Dictionary(
      uniqueKeysWithValues: content.headers.map { ($0.name, $0.value.reveal()) })
    #expect(headers["webhook-id"] == "email_\(Self.id.text)")
    let expected = [first, second].compactMap { secret in
      WebhookSignature.headers(
        id: "email_\(Self.id.text)", body: content.bytes.reveal(), secrets: [secret],
        now: OutboxWorld.start
      ).last?.value.reveal()
    }
    #expect(headers["webhook-signature"] == expected.joined(separator: " "))
    #expect(headers["webhook-timestamp"] == "\(Int(OutboxWorld.start.timeIntervalSince1970))")
  }

  @Test(
    arguments: [
      ("Ann", "Ann"), ("Ann http://evil.example", nil), ("Ann evil.example", nil),
      ("Ann\nLee", "Ann Lee"), (String(repeating: "a", count: 65), nil), (nil, nil),
    ] as [(String?, String?)])
  func `a name that could become a link or is too long isn't passed on`(
    _ name: String?, _ expected: String?
  ) async throws {
    let receiver = Receiver(.success(OutboundResponse(status: 200, body: [])))
    _ = try await send(to: receiver, displayName: name)
    let content = try #require(receiver.requests.first?.content)
    let data = try #require(try JSONObject(parsing: content.bytes.reveal())["data"])
    #expect(data["displayName"]?.string == expected)
    #expect(data["email"]?.string == "ann@example.com")
  }

  private static let id = OutboxID.random()

  private func send(
    to receiver: Receiver, secrets: [WebhookSecret] = [.random()], displayName: String? = "Ann"
  ) async throws -> DeliveryResult {
    let transport = WebhookMailTransport(
      to: MailWebhook(
        url: try #require(OutboundURL("https://mail.example.com/hook")), secrets: secrets),
      by: receiver, clock: { OutboxWorld.start })
    let task = try #require(OutboxTask(stored: Array(OutboxWorld.mail().utf8)))
    guard case .sendMail(let mail) = task else { throw MailboxFault.form }
    let project = Project(
      id: try #require(ProjectID("test-project")), number: 1,
      issuer: "https://auth.example.com/test-project", authorizedDomains: [],
      policies: ProjectPolicies())
    let order = MailOrder(id: Self.id, task: mail, project: project, displayName: displayName)
    let writer = MailWriter(
      from: try Mailbox(address: "noreply@example.com"), templates: try MailTemplates())
    return await transport.send(try writer.message(for: order, now: OutboxWorld.start), order)
  }
}

private final class Receiver: OutboundTransport {
  private let answer: Result<OutboundResponse, OutboundError>
  private let received = Mutex<[OutboundRequest]>([])

  init(_ answer: Result<OutboundResponse, OutboundError>) { self.answer = answer }

  var requests: [OutboundRequest] { received.withLock { $0 } }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    received.withLock { $0.append(request) }
    return try answer.get()
  }
}
