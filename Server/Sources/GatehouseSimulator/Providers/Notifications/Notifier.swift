import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Creates a provider's notifications and sends them to the clients' servers.
///
/// Providers send in the background and repeat for days. Here the call that causes an event sends
/// it and waits, so that a test doesn't have to wait. Failed notifications are sent again only on
/// request.
struct Notifier<State: ReportingState>: Sendable {
  typealias Event = State.Event

  /// The time limit for a server's response.
  private static var timeout: TimeAmount { .seconds(5) }
  /// How much of a response is kept, in bytes.
  private static var maximumAnswerBytes: Int { 1_024 }

  let store: SimulatorStore

  init(_ state: State.Type, store: SimulatorStore) { self.store = store }

  /// - Parameter faults: Faults of the token.
  func notify(_ events: [Event], faults: TokenFaults? = nil) async throws -> [Delivery<Event>] {
    var made: [Delivery<Event>] = []
    for event in events {
      let claims = try event.claims()
      let token = try store.withState { state in
        try state.unsignedToken(Event.provider, claims: claims, faults: faults)
      }
      let payload = try token.signed()
      made.append(
        store.withState { state in
          let url = state.clients[Event.provider, event.clientID]?.notificationURL
          return state[State.self].notifications.add(event, payload: payload, url: url)
        })
    }
    return await send(made)
  }

  /// Sends every notification again that no server has accepted.
  func redeliver() async -> [Delivery<Event>] {
    await send(store.withState { $0[State.self].notifications.undelivered })
  }

  /// Sends them one after the other, in the order of the events.
  private func send(_ deliveries: [Delivery<Event>]) async -> [Delivery<Event>] {
    guard deliveries.contains(where: { $0.url != nil }) else { return deliveries }
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    var sent: [Delivery<Event>] = []
    for delivery in deliveries {
      guard let url = delivery.url else {
        sent.append(delivery)
        continue
      }
      let answer = await post(delivery.payload, to: url, client)
      sent.append(
        store.withState { $0[State.self].notifications.note(answer, of: delivery) })
    }
    try? await client.shutdown()
    return sent
  }

  /// - Returns: Nil if there was no response.
  private func post(
    _ payload: String, to url: String, _ client: HTTPClient
  ) async -> Delivery<Event>.Answer? {
    guard let body = try? Event.body(payload) else { return nil }
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "content-type", value: Event.contentType)
    request.headers.add(name: "accept", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: body))
    guard let response = try? await client.execute(request, timeout: Self.timeout) else {
      return nil
    }
    return Delivery<Event>.Answer(
      status: Int(response.status.code), text: await Self.beginning(of: response.body))
  }

  /// The status counts also if the body breaks off.
  private static func beginning(of body: HTTPClientResponse.Body) async -> String {
    var read = ByteBuffer()
    do {
      for try await part in body {
        var part = part
        read.writeBuffer(&part)
        if read.readableBytes >= maximumAnswerBytes { break }
      }
    } catch {}
    return String(decoding: read.readableBytesView.prefix(maximumAnswerBytes), as: UTF8.self)
  }
}
