import Foundation
import Hummingbird

/// `GET /` in a browser: a page with the simulator's state and buttons to change it.
struct OverviewPage: Sendable {
  let store: SimulatorStore
  let endpoints: [Endpoint]

  func response() throws -> Response {
    let state = store.withState { $0 }
    let sections = [
      "<p>Simulates \(HTML.escape(Provider.names)), at "
        + "\(HTML.code(store.baseURL)). For tests only: no password is asked for.</p>",
      section("Persons", persons(state)),
      section("Apps that use the accounts", apps(state)),
      section("Clients", clients(state)),
      section("Faults", try faults(state)),
    ]
    let ofProviders = Provider.kinds.flatMap {
      $0.overviewSections(state, baseURL: store.baseURL)
    }.map { section($0.title, $0.html) }
    let last = [
      section("Last requests", requests(state)),
      section("Endpoints", endpointTable()),
      HTML.button("Reset", "/simulator/page/reset"),
    ]
    return HTML(
      title: "Gatehouse simulator", body: (sections + ofProviders + last).joined(separator: "\n")
    ).response()
  }

  private func section(_ title: String, _ body: String) -> String {
    "<section><h2>\(HTML.escape(title))</h2>\(body)</section>"
  }

  private func persons(_ state: SimulatorState) -> String {
    let rows = state.persons.all.prefix(HTML.shownRows).map { person in
      [
        HTML.code(person.id), HTML.escape(person.name ?? ""), HTML.escape(person.email),
        HTML.button("Delete the accounts", "/simulator/page/delete", ["person": person.id]),
      ]
    }
    return HTML.table(["Id", "Name", "Email", ""], Array(rows))
  }

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
    return HTML.table(["Person", "Provider", "Client", "Allowed", "Address", ""], rows)
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
    return HTML.table(["Provider", "Client", ""], Array(rows))
  }

  private func faults(_ state: SimulatorState) throws -> String {
    let answer = try JSONEncoder.readable.encode(FaultsAnswer(state.faults))
    return "<pre>\(HTML.escape(String(decoding: answer, as: UTF8.self)))</pre>"
      + HTML.button("End all faults", "/simulator/page/end-faults")
  }

  private func requests(_ state: SimulatorState) -> String {
    let rows = state.requests.last.suffix(HTML.shownRows).reversed().map { entry in
      [
        entry.time.formatted(.iso8601), HTML.escape(entry.method), HTML.code(entry.path),
        String(entry.status),
      ]
    }
    return HTML.table(["Time", "Method", "Path", "Status"], Array(rows))
  }

  private func endpointTable() -> String {
    HTML.table(
      ["Method", "Path", "Description"],
      endpoints.map { [$0.method, HTML.code($0.path), HTML.escape($0.about)] })
  }
}

extension JSONEncoder {
  fileprivate static var readable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
