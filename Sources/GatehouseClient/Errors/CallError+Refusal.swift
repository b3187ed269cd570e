import GatehouseJSON
import GatehouseWire

extension CallError {
  /// An answer whose status isn't 2xx.
  ///
  /// 5xx is the server's trouble and passes: ``NetworkFault/Kind/serverUnavailable``. Everything
  /// else that has the protocol's envelope is a refusal; what hasn't isn't from the server.
  init(refusing response: TransportResponse) {
    guard response.status < 500 else {
      self = .network(
        NetworkFault(.serverUnavailable, detail: "The server answered \(response.status)."))
      return
    }
    guard let object = try? JSONObject(parsing: [UInt8](response.body)),
      let error = object["error"], let message = error["message"]?.string
    else {
      self = .badAnswer("The server answered \(response.status) without saying why.")
      return
    }
    self = .refused(
      ServerRefusal(
        status: response.status, message: message,
        reason: error["errors"]?.array?.first?["reason"]?.string),
      joins: error["consentRequired"]?["joins"]?.array?.compactMap(\.string) ?? [])
  }
}

extension ServerRefusal {
  /// - Parameter message: `CODE`, or `CODE : detail`.
  package init(status: Int, message: String, reason: String? = nil) {
    var detail: String?
    if let colon = message.utf8.firstIndex(of: UInt8(ascii: ":")) {
      let rest = message[message.utf8.index(after: colon)...].drop { $0 == " " }
      detail = rest.isEmpty ? nil : String(rest)
    }
    self.init(
      status: status, code: ErrorMessage.code(of: message), detail: detail, reason: reason)
  }
}
