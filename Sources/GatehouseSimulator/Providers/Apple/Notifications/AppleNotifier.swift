import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Makes notifications and sends them to the apps' servers.
///
/// Apple sends in the background and tries again for days. Here the call that causes an event sends
/// it and waits, so that a test needn't; what failed is sent again when it is asked for.
struct AppleNotifier: Sendable {
  /// What a server may take to answer.
  private static let timeout = TimeAmount.seconds(5)

  let store: SimulatorStore

  /// - Parameter faults: What is wrong with the payload.
  func notify(_ events: [AppleEvent], faults: TokenFaults? = nil) async throws
    -> [AppleNotification]
  {
    var notifications: [AppleNotification] = []
    for event in events {
      let claims = try event.claims()
      let token = try store.withState { state in
        try state.unsignedToken(.apple, claims: claims, faults: faults)
      }
      let payload = try token.signed()
      let made = store.withState { state in
        let url = state.clients[.apple, event.clientID]?.notificationURL
        return state[AppleState.self].notifications.add(event, payload: payload, url: url)
      }
      notifications.append(made)
    }
    return await send(notifications)
  }

  /// Sends what the servers haven't answered with 200.
  func redeliver() async -> [AppleNotification] {
    await send(store.withState { $0[AppleState.self].notifications.undelivered })
  }

  /// One after the other, in the order of the events.
  private func send(_ notifications: [AppleNotification]) async -> [AppleNotification] {
    guard notifications.contains(where: { $0.url != nil }) else { return notifications }
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    var sent: [AppleNotification] = []
    for notification in notifications {
      guard let url = notification.url else {
        sent.append(notification)
        continue
      }
      let status = await post(notification.payload, to: url, client)
      sent.append(
        store.withState { $0[AppleState.self].notifications.note(status: status, of: notification) }
      )
    }
    try? await client.shutdown()
    return sent
  }

  /// - Returns: The status, or nil if nobody answered.
  private func post(_ payload: String, to url: String, _ client: HTTPClient) async -> Int? {
    guard let body = try? JSONValue.object(["payload": .string(payload)]).data() else { return nil }
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: body))
    return try? await Int(client.execute(request, timeout: Self.timeout).status.code)
  }
}
