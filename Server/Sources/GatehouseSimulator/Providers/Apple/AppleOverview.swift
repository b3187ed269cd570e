/// Apple's additions to the overview.
extension AppleProvider {
  func overviewSections(
    _ state: SimulatorState, baseURL: String
  ) -> [(title: String, html: String)] {
    [("Apple's notifications", state[AppleState.self].notifications.overview)]
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
