import GatehouseAccounts
import GatehouseJSON
import GatehouseModel
import GatehouseWire

/// What an app asks of `/__/auth/handler`, as Google's SDK for Apple platforms writes it:
///
/// ```
/// ?apiKey&authType=signInWithRedirect&ibi&sessionId&v&eventId&providerId
///  [&clientId|&appId][&tid][&scopes=a,b][&customParameters={json}][&hl][&redirectUrl]
/// ```
struct HandlerRequest: Sendable {
  let apiKey: String
  let kind: String
  let providerID: String
  let eventID: String
  /// SHA-256 of the session id that the app keeps.
  let sessionDigest: [UInt8]
  let bundleID: String?
  let clientID: String?
  let appID: String?
  let redirectURL: String?
  let scopes: [String]
  let parameters: [(name: String, value: String)]

  /// What is read; each at most once.
  private static let names = [
    "apiKey", "authType", "ibi", "sessionId", "eventId", "providerId", "clientId", "appId", "tid",
    "scopes", "customParameters", "redirectUrl",
  ]
  private static let maximumEventBytes = 128

  /// - Throws: ``HandlerFault``.
  init(_ query: FormFields) throws(HandlerFault) {
    if let name = query.repeated(of: Self.names) { throw .parameter(name) }
    let value = { (name: String) in query[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let apiKey = value("apiKey") else { throw .parameter("apiKey") }
    guard value("tid") == nil else { throw .tenant }
    guard let kind = value("authType") else { throw .parameter("authType") }
    guard kind.hasSameBytes(as: "signInWithRedirect") else { throw .modeNotOffered }
    guard let providerID = value("providerId") else { throw .parameter("providerId") }
    guard let eventID = value("eventId"), eventID.utf8.count <= Self.maximumEventBytes,
      eventID.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .parameter("eventId") }
    guard let digest = value("sessionId").flatMap({ Hexadecimal.bytes($0) }), digest.count == 32
    else { throw .parameter("sessionId") }
    self.apiKey = apiKey
    self.kind = kind
    self.providerID = providerID
    self.eventID = eventID
    sessionDigest = digest
    bundleID = value("ibi")
    clientID = value("clientId")
    appID = value("appId")
    redirectURL = value("redirectUrl")
    scopes = (value("scopes") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    guard let parameters = Self.parameters(value("customParameters")) else {
      throw .parameter("customParameters")
    }
    self.parameters = parameters
  }

  private static func parameters(_ json: String?) -> [(name: String, value: String)]? {
    guard let json else { return [] }
    let limits = JSONLimits(bytes: 16 * 1024, depth: 2, values: 64)
    guard let object = try? JSONObject(parsing: json, limits: limits) else { return nil }
    var parameters: [(name: String, value: String)] = []
    for member in object.members {
      guard let value = member.value.string else { return nil }
      parameters.append((member.name, value))
    }
    return parameters
  }
}

extension FormFields {
  /// The first of `names` that is given more than once: two readers of such a request could read
  /// different things.
  func repeated(of names: [String]) -> String? {
    names.first { name in fields.lazy.filter { $0.name.hasSameBytes(as: name) }.count > 1 }
  }
}
