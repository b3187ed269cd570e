import GatehouseProtocol

/// The parts of a Graph API error that are repeated to the client that sent the token.
///
/// <https://developers.facebook.com/docs/graph-api/guides/error-handling>: `code`, `error_subcode`
/// and `message`. In the `data` of `debug_token`, `error_subcode` is called `subcode`.
package struct GraphComplaint: Hashable, Sendable {
  /// The greatest length of a message, in bytes. A longer message is cut.
  private static let maximumMessageBytes = 256

  package var code: Int64?
  package var subcode: Int64?
  package var message: String

  package init(code: Int64?, subcode: Int64? = nil, message: String) {
    self.code = code
    self.subcode = subcode
    self.message = message
  }

  /// - Parameter error: The member `error` of a response; nil if there is none.
  init?(_ error: JSONValue?) {
    guard let error = error?.object else { return nil }
    code = error["code"]?.int64
    subcode = (error["subcode"] ?? error["error_subcode"])?.int64
    message = String(
      decoding: (error["message"]?.string ?? "").utf8.prefix(Self.maximumMessageBytes),
      as: UTF8.self)
  }

  /// The object in the path doesn't exist, or this app may not see it (any more).
  var isUnknownObject: Bool { code == 100 && subcode == 33 || code == 803 }

  /// `{"code":190,"subcode":463,"message":"…"}`, as responses quote it.
  package var jsonText: String {
    var members: [JSONObject.Member] = []
    if let code { members.append(.init(name: "code", value: .number(JSONNumber(code)))) }
    if let subcode { members.append(.init(name: "subcode", value: .number(JSONNumber(subcode)))) }
    members.append(.init(name: "message", value: .string(message)))
    return JSONValue.object(JSONObject(members)).text()
  }
}
