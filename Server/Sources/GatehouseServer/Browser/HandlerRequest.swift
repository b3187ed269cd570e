import GatehouseProtocol

/// A request to `/__/auth/handler`, as Google's SDKs send it. From an app:
///
/// ```
/// ?apiKey&authType=signInWithRedirect&ibi&sessionId&v&eventId&providerId
///  [&clientId|&appId][&tid][&scopes=a,b][&customParameters={json}][&hl][&redirectUrl]
/// ```
/// From a page, where `redirectUrl` is the page itself:
/// ```
/// ?apiKey&appName&authType=signInViaPopup|…&redirectUrl&v[&eventId]&providerId
///  [&tid][&scopes=a,b][&customParameters={json}]
/// ```
struct HandlerRequest: Sendable {
  let apiKey: String
  let mode: BrowserSignIn.Mode
  let providerID: String
  let requester: Requester
  let scopes: [String]
  let parameters: [(name: String, value: String)]

  enum Requester: Sendable {
    case app(NativeAppRequest)
    case page(PageRequest)
  }

  /// The parameters that are read; each may occur once.
  private static let names = [
    "apiKey", "authType", "ibi", "sessionId", "eventId", "providerId", "clientId", "appId", "tid",
    "scopes", "customParameters", "redirectUrl", "appName",
  ]

  /// - Throws: ``HandlerFault``.
  init(_ query: FormFields) throws(HandlerFault) {
    if let name = query.repeated(of: Self.names) { throw .parameter(name) }
    let fields = HandlerFields(query: query)
    apiKey = try fields.require("apiKey")
    guard fields["tid"] == nil else { throw .tenant }
    guard let mode = BrowserSignIn.Mode(rawValue: try fields.require("authType")) else {
      throw .modeNotOffered
    }
    self.mode = mode
    providerID = try fields.require("providerId")
    requester =
      mode.purpose == nil
      ? .app(try NativeAppRequest(fields)) : .page(try PageRequest(fields, mode))
    scopes = (fields["scopes"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    guard let parameters = Self.parameters(fields["customParameters"]) else {
      throw .parameter("customParameters")
    }
    self.parameters = parameters
  }

  /// The digest of the session id that an app keeps; nil for a page, which keeps none.
  var sessionDigest: [UInt8]? {
    switch requester {
    case .app(let app): app.sessionDigest
    case .page: nil
    }
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

/// The parameters of a native app.
struct NativeAppRequest: Sendable {
  let eventID: String
  /// SHA-256 of the session id that the app keeps.
  let sessionDigest: [UInt8]
  let bundleID: String?
  let clientID: String?
  let appID: String?
  let redirectURL: String?

  private static let maximumEventBytes = 128

  fileprivate init(_ fields: HandlerFields) throws(HandlerFault) {
    eventID = try fields.require("eventId") {
      $0.utf8.count <= Self.maximumEventBytes
        && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    guard let digest = fields["sessionId"].flatMap({ Hexadecimal.bytes($0) }), digest.count == 32
    else { throw .parameter("sessionId") }
    sessionDigest = digest
    bundleID = fields["ibi"]
    clientID = fields["clientId"]
    appID = fields["appId"]
    redirectURL = fields["redirectUrl"]
  }
}

/// The parameters of a page. A page keeps no session id: the server creates one for it.
struct PageRequest: Sendable {
  /// Always set for a popup. For a redirect, Google's SDK sets it only to link or to re-authenticate:
  /// it then contains the account's id.
  let eventID: String?
  let address: PageAddress
  let apiKey: String
  let appName: String

  /// Long enough for an account's id and what the SDK adds to it.
  private static let maximumBytes = 256

  fileprivate init(_ fields: HandlerFields, _ mode: BrowserSignIn.Mode) throws(HandlerFault) {
    apiKey = try fields.require("apiKey", where: Self.isName)
    appName = try fields.require("appName", where: Self.isName)
    eventID =
      mode.isPopup || fields["eventId"] != nil
      ? try fields.require("eventId", where: Self.isName) : nil
    guard let address = PageAddress(try fields.require("redirectUrl")) else {
      throw .parameter("redirectUrl")
    }
    self.address = address
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= maximumBytes && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// A query's fields. An empty field counts as missing.
private struct HandlerFields {
  let query: FormFields

  subscript(name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }

  func require(
    _ name: String, where isGood: (String) -> Bool = { _ in true }
  ) throws(HandlerFault) -> String {
    guard let value = self[name], isGood(value) else { throw .parameter(name) }
    return value
  }
}
