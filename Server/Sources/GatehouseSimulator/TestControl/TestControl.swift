import Hummingbird

/// The endpoints with which a test controls the simulator: `/simulator/…`.
struct TestControl: Sendable {
  let store: SimulatorStore

  func add(to group: RouterGroup<SimulatorContext>) {
    group.get("persons") { _, _ in try listPersons() }
    group.post("persons") { request, _ in try await putPerson(request) }
    group.get("persons/{id}") { _, context in try showPerson(context) }
    group.delete("persons/{id}") { _, context in try await deletePerson(context) }
    group.get("persons/{id}/apps") { _, context in try listApps(context) }
    group.post("persons/{id}/withdraw-consent") { request, context in
      try await withdrawConsent(request, context)
    }
    group.get("faults") { _, _ in try showFaults() }
    group.put("faults") { request, _ in try await putFaults(request) }
    group.delete("faults") { _, _ in try deleteFaults() }
    group.post("rotate-keys") { request, _ in try await rotateKeys(request) }
    group.get("sheets") { _, _ in try showDialogMode() }
    group.put("sheets") { request, _ in try await putDialogMode(request) }
    group.get("requests") { _, _ in try showRequests() }
    group.delete("requests") { _, _ in try deleteRequests() }
    group.get("clients") { _, _ in try listClients() }
    group.put("clients") { request, _ in try await putClient(request) }
    group.put("notification-url") { request, _ in try await putNotificationURL(request) }
    group.get("apps") { request, _ in try listAllApps(request) }
    for kind in Provider.kinds { kind.addControl(store, to: group) }
    group.post("reset") { _, _ in try reset() }
  }

  var bodyLimit: Int { store.configuration.limits.bodyBytes }

  static let endpoints = [
    Endpoint("GET", "/simulator/persons", "the persons that can sign in (POST: adds one)"),
    Endpoint("GET", "/simulator/persons/{id}", "a person (DELETE: deletes the person's accounts)"),
    Endpoint("GET", "/simulator/persons/{id}/apps", "the apps that use the person's accounts"),
    Endpoint(
      "POST", "/simulator/persons/{id}/withdraw-consent",
      "\"Stop using Apple ID\", or the removal of access at other providers"),
    Endpoint("GET", "/simulator/faults", "the configured faults (PUT, DELETE)"),
    Endpoint("PUT", "/simulator/sheets", "whether a browser that names no person gets pages (GET)"),
    Endpoint("POST", "/simulator/rotate-keys", "creates a new signing key"),
    Endpoint("GET", "/simulator/requests", "the requests to the providers (DELETE)"),
    Endpoint("PUT", "/simulator/clients", "sets a client's secret, team, redirect URIs (GET)"),
    Endpoint(
      "PUT", "/simulator/notification-url", "sets where a client's server is notified of events"),
    Endpoint("GET", "/simulator/apps", "the apps that use the accounts of any person"),
    Endpoint("POST", "/simulator/reset", "restores the initial state"),
  ]

  /// `POST /simulator/reset`: restores the initial state except for the signing keys.
  private func reset() throws -> Response {
    store.withState { $0.reset() }
    return try .json([:])
  }
}
