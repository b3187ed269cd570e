import Foundation

/// The faults on ``OverviewPage``: those that are on, and forms to turn on others.
struct FaultsSection: Sendable {
  private let faults: Faults

  init(_ state: SimulatorState) { faults = state.faults }

  func html() throws -> String {
    var rows: [[String]] = []
    for provider in Provider.builtIn {
      for (member, value) in try faults.tokens[provider]?.asMembers() ?? [:] {
        rows.append([
          provider.displayName, "\(HTML.code(member)) \(HTML.code(try value.text()))",
          HTML.button(
            "Turn off", "/simulator/page/end-fault",
            ["provider": provider.rawValue, "member": member]),
        ])
      }
    }
    rows.sort { ($0[0], $0[1]) < ($1[0], $1[1]) }
    for fault in faults.endpoints {
      guard case .object(var members) = try JSONValue(encoding: fault) else { continue }
      members["path"] = nil
      rows.append([
        HTML.code(fault.path), HTML.code(try JSONValue.object(members).text()),
        HTML.button("Turn off", "/simulator/page/end-endpoint-fault", ["path": fault.path]),
      ])
    }
    let table = HTML.table(
      ["Where", "Fault", "Action"], rows, none: "All providers behave as they should.")
    let end =
      rows.isEmpty ? "" : HTML.button("End all faults", "/simulator/page/end-faults")
    return "\(table)\(end)<div class=\"columns\">\(ofTokens)\(ofEndpoints)</div>\(try asJSON())"
  }

  private var ofTokens: String {
    let providers = Provider.builtIn.map { ($0.rawValue, $0.displayName) }
    let choices = FaultChoice.all.map { ($0.name, $0.label) }
    return """
      <form method="post" action="/simulator/page/fault" class="fields">
      <h3>Of a provider</h3>
      \(select("fault-provider", "provider", "Provider", providers))
      \(select("fault-name", "fault", "Fault", choices))
      <button class="primary">Turn on</button>
      </form>
      """
  }

  private var ofEndpoints: String {
    let paths = Set(Provider.kinds.flatMap(\.endpoints).map(\.path)).filter { !$0.contains("{") }
    return """
      <form method="post" action="/simulator/page/endpoint-fault" class="fields">
      <h3>Of an endpoint</h3>
      \(select("fault-path", "path", "Endpoint", paths.sorted().map { ($0, $0) }))
      \(select("fault-effect", "effect", "Response", EndpointEffect.allCases.map { ($0.rawValue, $0.label) }))
      <label class="check"><input type="checkbox" name="once" value="yes"> Only for the next request</label>
      <button class="primary">Turn on</button>
      </form>
      """
  }

  private func asJSON() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(FaultsAnswer(faults)), as: UTF8.self)
    let members = TokenFaults.members.sorted().map(HTML.code).joined(separator: ", ")
    return """
      <details><summary>All faults as JSON, to edit</summary>
      <form method="post" action="/simulator/page/faults" class="fields wide">
      <div class="field"><label for="json">The body of <code>PUT /simulator/faults</code></label>
      <textarea id="json" name="json" spellcheck="false">\(HTML.escape(json))</textarea>
      <small>A provider’s faults: \(members).</small></div>
      <button>Replace all faults</button>
      </form></details>
      """
  }

  private func select(
    _ id: String, _ name: String, _ label: String, _ options: [(value: String, label: String)]
  ) -> String {
    let options = options.map {
      "<option value=\"\(HTML.escape($0.value))\">\(HTML.escape($0.label))</option>"
    }
    return "<div class=\"field\"><label for=\"\(id)\">\(label)</label>"
      + "<select id=\"\(id)\" name=\"\(name)\">\(options.joined())</select></div>"
  }
}

/// A fault of a provider that the page offers: a member of ``TokenFaults``, and its value.
struct FaultChoice: Sendable {
  let name: String
  let label: String
  let member: String
  let value: JSONValue

  static let all: [FaultChoice] = [
    FaultChoice("The signature is invalid", "badSignature", true),
    FaultChoice("Tokens have expired", "expiredTokens", true),
    FaultChoice("Codes have expired", "expiredCodes", true),
    FaultChoice("Tokens are for another app (aud)", "setClaims", ["aud": "another-app"]),
    FaultChoice("Tokens have another nonce", "setClaims", ["nonce": "another-nonce"]),
    FaultChoice("Tokens have another issuer", "issuer", "https://issuer.example"),
    FaultChoice("Tokens name no key (kid)", "omitHeader", .strings(["kid"])),
    FaultChoice("Tokens are unsigned (alg: none)", "algorithm", "none"),
    FaultChoice("Tokens are signed with the client’s secret (HS256)", "algorithm", "HS256"),
    FaultChoice("Tokens have no email", "omitClaims", .strings(["email"])),
    FaultChoice("Booleans are strings, as at Apple", "stringBooleans", true),
    FaultChoice("Another key has the same kid", "duplicateKey", true),
  ]

  private init(_ label: String, _ member: String, _ value: JSONValue) {
    name = "\(member) \((try? value.text()) ?? "")"
    self.label = label
    self.member = member
    self.value = value
  }

  /// The value together with that of the same member that is on already.
  func added(to old: JSONValue?) -> JSONValue {
    switch (old, value) {
    case (.object(let old)?, .object(let new)): .object(old.merging(new) { $1 })
    case (.array(let old)?, .array(let new)): .array(old + new.filter { !old.contains($0) })
    default: value
    }
  }
}

/// A fault of an endpoint that the page offers.
enum EndpointEffect: String, CaseIterable, Sendable {
  case unavailable, limited, slow, noJSON

  var label: String {
    switch self {
    case .unavailable: "503: unavailable"
    case .limited: "429: too many requests"
    case .slow: "The usual one, five seconds later"
    case .noJSON: "200, with text in place of JSON"
    }
  }

  func fault(path: String, count: Int?) -> EndpointFault {
    var fault = EndpointFault(path: path, count: count)
    switch self {
    case .unavailable: fault.status = 503
    case .limited: fault.status = 429
    case .slow: fault.delayMilliseconds = 5_000
    case .noJSON: (fault.body, fault.contentType) = ("Not JSON.", "text/plain")
    }
    return fault
  }
}

extension TokenFaults {
  func asMembers() throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONValue(encoding: self) else { return [:] }
    return members
  }
}

extension JSONValue {
  init(encoding value: some Encodable) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
  }

  func text() throws -> String { String(decoding: try data(), as: UTF8.self) }
}
