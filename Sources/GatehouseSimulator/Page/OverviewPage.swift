import Foundation
import Hummingbird

/// What the simulator has, for a person to see and to click: `GET /` in a browser.
struct OverviewPage: Sendable {
  /// How many of a list are shown, the latest first.
  private static let shown = 50

  let store: SimulatorStore
  let endpoints: [(method: String, path: String, about: String)]

  func response() throws -> Response {
    let state = store.withState { $0 }
    let sections = [
      "<p>Stand-ins for Apple, Google, Facebook and an OpenID Connect provider, at "
        + "\(HTML.code(store.baseURL)). For tests only: whoever is named has signed in.</p>",
      section("Persons", persons(state)),
      section("Apps that use their accounts", apps(state)),
      section("Clients", clients(state)),
      section("Issuers of tests", issuers(state)),
      section("Faults", try faults(state)),
      section("Notifications of Apple's", notifications(state)),
      section("Last requests", requests(state)),
      section("Endpoints", endpointTable()),
      HTML.button("Back to the start", "/simulator/page/reset"),
    ]
    return HTML(title: "Gatehouse simulator", body: sections.joined(separator: "\n")).response()
  }

  private func section(_ title: String, _ body: String) -> String {
    "<section><h2>\(HTML.escape(title))</h2>\(body)</section>"
  }

  private func persons(_ state: SimulatorState) -> String {
    let rows = state.persons.all.prefix(Self.shown).map { person in
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
      for (key, consent) in state.standingConsents(of: person.id) where rows.count < Self.shown {
        rows.append([
          HTML.code(person.id), key.provider.rawValue, HTML.code(key.client.text),
          HTML.escape(Scope.text(consent.scopes)), Self.email(consent, key),
          actions(person, key, consent),
        ])
      }
    }
    return HTML.table(["Person", "Provider", "Client", "Allowed", "Address", ""], rows)
  }

  private static func email(_ consent: Consent, _ key: ConsentKey) -> String {
    guard key.provider == .apple else { return "" }
    guard consent.hidesEmail else { return "shared" }
    return consent.forwardsEmail ? "hidden" : "hidden, not forwarded"
  }

  private func actions(_ person: Person, _ key: ConsentKey, _ consent: Consent) -> String {
    let fields: KeyValuePairs = [
      "person": person.id, "provider": key.provider.rawValue, "client_id": key.client.text,
    ]
    let stop = HTML.button("Stop using", "/simulator/page/stop-using", fields)
    guard key.provider == .apple, consent.hidesEmail else { return stop }
    return stop
      + HTML.button(
        consent.forwardsEmail ? "Turn forwarding off" : "Turn forwarding on",
        "/simulator/page/relay",
        [
          "person": person.id, "client_id": key.client.text,
          "forwards": String(!consent.forwardsEmail),
        ])
  }

  private func clients(_ state: SimulatorState) -> String {
    let rows = state.clients.all.prefix(Self.shown).map { client in
      let details = [
        client.clientSecret.map { _ in "has a secret" },
        client.provider == .apple
          ? "team \(state.clients.appleTeam(of: client.clientID))" : nil,
        client.primaryApp.map { "grouped with \($0)" },
        client.notificationURL.map { "notified at \($0)" },
      ]
      return [
        client.provider.rawValue, HTML.code(client.clientID),
        HTML.escape(details.compactMap(\.self).joined(separator: ", ")),
      ]
    }
    return HTML.table(["Provider", "Client", ""], Array(rows))
  }

  private func issuers(_ state: SimulatorState) -> String {
    let rows = state.issuers.map { $0.issuer(baseURL: store.baseURL) }.sorted()
      .prefix(Self.shown).map { [HTML.code($0)] }
    return HTML.table(["Issuer"], Array(rows))
  }

  private func faults(_ state: SimulatorState) throws -> String {
    let answer = try JSONEncoder.readable.encode(FaultsAnswer(state.faults))
    return "<pre>\(HTML.escape(String(decoding: answer, as: UTF8.self)))</pre>"
      + HTML.button("End all faults", "/simulator/page/end-faults")
  }

  private func notifications(_ state: SimulatorState) -> String {
    let rows = state.notifications.all.suffix(Self.shown).reversed().map { notification in
      [
        notification.event.kind.rawValue, HTML.code(notification.event.clientID),
        HTML.code(notification.event.subject), HTML.escape(notification.url ?? "no URL"),
        notification.status.map(String.init) ?? (notification.attempts > 0 ? "no answer" : ""),
      ]
    }
    return HTML.table(["Event", "App", "Subject", "To", "Status"], Array(rows))
  }

  private func requests(_ state: SimulatorState) -> String {
    let rows = state.requests.last.suffix(Self.shown).reversed().map { entry in
      [
        entry.time.formatted(.iso8601), HTML.escape(entry.method), HTML.code(entry.path),
        String(entry.status),
      ]
    }
    return HTML.table(["Time", "Method", "Path", "Status"], Array(rows))
  }

  private func endpointTable() -> String {
    HTML.table(
      ["Method", "Path", "What it is"],
      endpoints.map { [$0.method, HTML.code($0.path), HTML.escape($0.about)] })
  }
}

extension JSONEncoder {
  /// For a person.
  fileprivate static var readable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
