import Hummingbird

/// What a test tells the simulator: `/simulator/…`.
struct ControlRoutes: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("persons") { _, _ in try listPersons() }
    group.post("persons") { request, _ in try await putPerson(request) }
    group.get("persons/{id}") { _, context in try showPerson(context) }
    group.delete("persons/{id}") { _, context in try await deletePerson(context) }
    group.get("persons/{id}/apps") { _, context in try listApps(context) }
    group.put("persons/{id}/apple-relay") { request, context in
      try await putAppleRelay(request, context)
    }
    group.post("persons/{id}/withdraw-consent") { request, context in
      try await withdrawConsent(request, context)
    }
    group.get("faults") { _, _ in try showFaults() }
    group.put("faults") { request, _ in try await putFaults(request) }
    group.delete("faults") { _, _ in try deleteFaults() }
    group.post("rotate-keys") { request, _ in try await rotateKeys(request) }
    group.get("issuers") { _, _ in try listIssuers() }
    group.put("issuers/{name}") { request, context in try await putIssuer(request, context) }
    group.delete("issuers/{name}") { _, context in try deleteIssuer(context) }
    group.get("sheets") { _, _ in try showSheets() }
    group.put("sheets") { request, _ in try await putSheets(request) }
    group.get("requests") { _, _ in try showRequests() }
    group.delete("requests") { _, _ in try deleteRequests() }
    group.get("clients") { _, _ in try listClients() }
    group.put("clients") { request, _ in try await putClient(request) }
    group.put("apple/team-keys") { request, _ in try await putAppleTeamKey(request) }
    group.post("apple/transfer") { request, _ in try await transferAppleApp(request) }
    group.get("apple/notifications") { _, _ in try listNotifications() }
    group.post("apple/notifications") { request, _ in try await sendNotification(request) }
    group.post("apple/notifications/redeliver") { _, _ in try await redeliverNotifications() }
    PageActions(store: store).add(to: group.group("page"))
    group.post("reset") { _, _ in try reset() }
  }

  var bodyLimit: Int { store.configuration.limits.bodyBytes }

  /// `POST /simulator/reset`: as at the start, but for the signing keys.
  private func reset() throws -> Response {
    store.withState { $0.reset() }
    return try .json([:])
  }
}
