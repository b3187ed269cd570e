import Hummingbird

/// Cross-Account Protection: what Google's clients, test control and overview have for it.
extension GoogleProvider {
  var clientMembers: [String] { [NotificationURL.member] }

  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {
    guard let value = client.details[NotificationURL.member] else { return }
    guard let url = value.stringValue else {
      throw .invalidRequest("The member \"\(NotificationURL.member)\" has the wrong type.")
    }
    try NotificationURL.check(url, allowedHosts: allowedHosts)
  }

  func addControl(_ store: SimulatorStore, to group: RouterGroup<SimulatorContext>) {
    GoogleEventControl(store: store).add(to: group)
    FirebaseSessions(store: store).addControl(to: group)
  }

  var controlEndpoints: [Endpoint] {
    [
      Endpoint("GET", "/simulator/google/events", "Google's events (POST: sends one)"),
      Endpoint("POST", "/simulator/google/events/redeliver", "sends failed events again"),
      Endpoint("POST", "/simulator/google/firebase-sessions", "signs a user in to Firebase"),
      Endpoint(
        "POST", "/simulator/google/firebase-sessions/revoke", "ends a user's sessions at Firebase"),
    ]
  }

  /// Notifies the apps' servers.
  func consentsEnded(
    _ ended: [ConsentKey], accountIsGone: Bool, _ store: SimulatorStore
  ) async throws -> [JSONValue] {
    let now = store.now
    let events = store.withState { state in
      ended.compactMap {
        state.googleEvent(accountIsGone ? .accountPurged : .tokensRevoked, $0, now: now)
      }
    }
    return try await Notifier(GoogleState.self, store: store).notify(events)
      .map { $0.json(withPayload: false) }
  }

  func overviewSections(
    _ state: SimulatorState, baseURL: String
  ) -> [(title: String, html: String)] {
    [("Google's events", state[GoogleState.self].notifications.overview)]
  }

  func overviewActions(_ key: ConsentKey, _ consent: Consent) -> String {
    let (person, client) = (key.person.text, key.client.text)
    return HTML.button(
      "Report: sessions revoked", "/simulator/page/google-event",
      ["person": person, "client_id": client, "type": "sessions-revoked"])
      + HTML.button(
        "Report: account hijacked", "/simulator/page/google-event",
        [
          "person": person, "client_id": client, "type": "account-disabled",
          "reason": "hijacking",
        ])
  }

  func overviewDetails(_ client: RegisteredClient, _ state: SimulatorState) -> [String] {
    [client.notificationURL.map { "notified at \($0)" }].compactMap(\.self)
  }
}
