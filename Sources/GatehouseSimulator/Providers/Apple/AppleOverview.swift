/// Apple's additions to the overview.
extension AppleProvider {
  func overviewSections(
    _ state: SimulatorState, baseURL: String
  ) -> [(title: String, html: String)] {
    let rows = state[AppleState.self].notifications.all.suffix(OverviewPage.shown).reversed()
      .map { notification in
        [
          notification.event.kind.rawValue, HTML.code(notification.event.clientID),
          HTML.code(notification.event.subject), HTML.escape(notification.url ?? "no URL"),
          notification.status.map(String.init) ?? (notification.attempts > 0 ? "no response" : ""),
        ]
      }
    let table = HTML.table(["Event", "App", "Subject", "To", "Status"], Array(rows))
    return [("Apple's notifications", table)]
  }

  func overviewActions(_ key: ConsentKey, _ consent: Consent) -> String {
    guard consent.hidesEmail else { return "" }
    return HTML.button(
      consent.forwardsEmail ? "Turn forwarding off" : "Turn forwarding on",
      "/simulator/page/relay",
      [
        "person": key.person.text, "client_id": key.client.text,
        "forwards": String(!consent.forwardsEmail),
      ])
  }

  func overviewDetails(_ client: RegisteredClient, _ state: SimulatorState) -> [String] {
    [
      "team \(state.clients.appleTeam(of: client.clientID))",
      client.primaryApp.map { "grouped with \($0)" },
      client.notificationURL.map { "notified at \($0)" },
    ].compactMap(\.self)
  }
}
