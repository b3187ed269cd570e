import Foundation
import Hummingbird

/// `GET /` in a browser: a page with the simulator's state and forms to change it.
struct OverviewPage: Sendable {
  /// The others are in the JSON.
  private static let shownRequests = 20

  let store: SimulatorStore
  let endpoints: [Endpoint]

  func response() throws -> Response {
    let state = store.withState { $0 }
    let ofProviders = Provider.kinds.flatMap {
      $0.overviewSections(state, baseURL: store.baseURL)
    }.map { section($0.title, $0.html) }
    let sections =
      [
        lead, section("Persons", id: "persons", persons(state)),
        section("Apps that use the accounts", id: "apps", apps(state)),
        section("Faults", id: "faults", try FaultsSection(state).html()),
        section("Last requests", id: "requests", requests(state)),
        section("Clients", id: "clients", clients(state)),
      ] + ofProviders + [
        section("Endpoints", id: "endpoints", endpointTable()),
        HTML.button(
          "Reset",
          asking: "This removes all persons, consents, clients, faults and requests, "
            + "and creates the first persons again.", "/simulator/page/reset"),
      ]
    return HTML(title: "Gatehouse simulator", body: sections.joined(separator: "\n")).response()
  }

  private var lead: String {
    let parts = [
      ("Persons", "#persons"), ("Apps", "#apps"), ("Faults", "#faults"),
      ("Last requests", "#requests"), ("Clients", "#clients"), ("Endpoints", "#endpoints"),
    ]
    return "<p class=\"lead\">Simulates \(HTML.escape(Provider.names)), at "
      + "\(HTML.code(store.baseURL)). For tests only: no password is asked for.</p>"
      + "<nav aria-label=\"On this page\">"
      + parts.map { "<a href=\"\($1)\">\($0)</a>" }.joined(separator: "\n") + "</nav>"
  }

  private func section(_ title: String, id: String? = nil, _ body: String) -> String {
    let id = id.map { " id=\"\($0)\"" } ?? ""
    return "<section class=\"card\"\(id)><h2>\(HTML.escape(title))</h2>\(body)</section>"
  }

  private func persons(_ state: SimulatorState) -> String {
    let all = state.persons.all
    let rows = all.prefix(HTML.shownRows).map { person in
      [
        HTML.escape(person.name ?? "") + "<small>\(HTML.code(person.id))</small>",
        HTML.escape(person.email) + " " + Self.badges(person),
        HTML.button(
          "Delete",
          asking: "Delete the accounts of \(person.id) at all providers? "
            + "The apps that use them are notified.",
          "/simulator/page/delete", ["person": person.id]),
      ]
    }
    let more =
      all.count > HTML.shownRows
      ? "<p class=\"quiet\">\(HTML.shownRows) of \(all.count) are shown. "
        + "<a href=\"/simulator/persons\">All as JSON</a></p>" : ""
    return HTML.table(["Person", "Email", "Action"], Array(rows), none: "Nobody can sign in.")
      + more + Self.newPerson
  }

  private static func badges(_ person: Person) -> String {
    (person.emailVerified
      ? "<span class=\"badge good\">verified</span>"
      : "<span class=\"badge warn\">not verified</span>")
      + (person.hidesEmail ? " <span class=\"badge\">hidden from apps</span>" : "")
  }

  private static let newPerson = """
    <h3>New person</h3>
    <form method="post" action="/simulator/page/create" class="fields wide" autocomplete="off">
    <div class="row">
    <div class="field"><label for="given-name">Given name</label>
    <input id="given-name" name="given_name" maxlength="256"></div>
    <div class="field"><label for="family-name">Family name</label>
    <input id="family-name" name="family_name" maxlength="256"></div>
    <div class="field"><label for="email">Email</label>
    <input id="email" name="email" type="email" maxlength="254" required></div>
    </div>
    <label class="check"><input type="checkbox" name="email_verified" value="yes" checked> The email is verified</label>
    <label class="check"><input type="checkbox" name="hides_email" value="yes"> At Apple, hide the email from apps</label>
    <button class="primary">Create person</button>
    </form>
    """

  private func apps(_ state: SimulatorState) -> String {
    var rows: [[String]] = []
    for person in state.persons.all {
      for (key, consent) in state.standingConsents(of: person.id) where rows.count < HTML.shownRows
      {
        rows.append([
          HTML.code(person.id), key.provider.rawValue, HTML.code(key.client.text),
          HTML.escape(key.provider.kind.text(consent.scopes)), Self.email(consent, key),
          actions(person, key, consent),
        ])
      }
    }
    return HTML.table(
      ["Person", "Provider", "Client", "Allowed", "Address", "Action"], rows,
      none: "No person has signed in to an app yet.")
  }

  private static func email(_ consent: Consent, _ key: ConsentKey) -> String {
    guard key.provider.kind.hidesAddresses else { return "" }
    guard consent.hidesEmail else { return "shared" }
    return consent.forwardsEmail ? "hidden" : "hidden, not forwarded"
  }

  private func actions(_ person: Person, _ key: ConsentKey, _ consent: Consent) -> String {
    let fields: KeyValuePairs = [
      "person": person.id, "provider": key.provider.rawValue, "client_id": key.client.text,
    ]
    return HTML.button("Stop using", "/simulator/page/stop-using", fields)
      + key.provider.kind.overviewActions(key, consent)
  }

  private func clients(_ state: SimulatorState) -> String {
    let rows = state.clients.all.prefix(HTML.shownRows).map { client in
      let details =
        (client.clientSecret == nil ? [] : ["has a secret"])
        + client.provider.kind.overviewDetails(client, state)
      return [
        client.provider.rawValue, HTML.code(client.clientID),
        HTML.escape(details.joined(separator: ", ")),
      ]
    }
    return HTML.table(
      ["Provider", "Client", "Registered"], Array(rows),
      none: "None. Clients need no registration. What you register is checked.")
  }

  private func requests(_ state: SimulatorState) -> String {
    let rows = state.requests.last.suffix(Self.shownRequests).reversed().map { entry in
      [
        entry.time.formatted(.iso8601), HTML.escape(entry.method), HTML.code(entry.path),
        String(entry.status),
      ]
    }
    let table = HTML.table(
      ["Time", "Method", "Path", "Status"], Array(rows), none: "No provider was called yet.")
    guard !rows.isEmpty else { return table }
    return table + "<p><a href=\"/simulator/requests\">All, with counts, as JSON</a></p>"
      + HTML.button("Clear", "/simulator/page/clear-requests")
  }

  private func endpointTable() -> String {
    let rows = endpoints.map { endpoint in
      // Key sets, discovery documents, and what a test can read: a click shows them.
      let opens =
        endpoint.method == "GET" && !endpoint.path.contains("{")
        && ["simulator", ".well-known", "keys", "certs", "jwks"].contains { part in
          endpoint.path.split(separator: "/").contains { $0.utf8.elementsEqual(part.utf8) }
        }
      let path = HTML.code(endpoint.path)
      return [
        endpoint.method,
        opens ? "<a href=\"\(HTML.escape(endpoint.path))\">\(path)</a>" : path,
        HTML.escape(endpoint.about),
      ]
    }
    return "<details><summary>\(rows.count) endpoints, with links to key sets, discovery documents "
      + "and the simulator’s state</summary>"
      + "\(HTML.table(["Method", "Path", "Description"], rows))</details>"
  }
}
