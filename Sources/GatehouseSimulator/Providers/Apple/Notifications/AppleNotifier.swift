import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// Creates notifications and sends them to the apps' servers.
///
/// Apple sends in the background and repeats for days. Here the call that causes an event sends it
/// and waits, so that a test doesn't have to wait. Failed notifications are sent again only on
/// request.
struct AppleNotifier: Sendable {
  /// The time limit for a server's response.
  private static let timeout = TimeAmount.seconds(5)

  let store: SimulatorStore

  /// - Parameter faults: Faults of the payload.
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

  /// Sends every notification again that no server has answered with 200.
  func redeliver() async -> [AppleNotification] {
    await send(store.withState { $0[AppleState.self].notifications.undelivered })
  }

  /// Sends them one after the other, in the order of the events.
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

  /// - Returns: The status, or nil if there was no response.
  private func post(_ payload: String, to url: String, _ client: HTTPClient) async -> Int? {
    guard let body = try? JSONValue.object(["payload": .string(payload)]).data() else { return nil }
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.body = .bytes(ByteBuffer(bytes: body))
    return try? await Int(client.execute(request, timeout: Self.timeout).status.code)
  }
}
