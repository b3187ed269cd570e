import GatehouseProtocol

extension CallError {
  /// The error for a response whose status isn't 2xx.
  ///
  /// - 5xx is a temporary failure of the server: ``NetworkFault/Kind/serverUnavailable``.
  /// - Another status with the protocol's error object in the body is a refusal.
  /// - Another status without that object is a bad response: it doesn't come from a Gatehouse
  ///   server.
  init(refusing response: TransportResponse) {
    guard response.status < 500 else {
      self = .network(
        NetworkFault(.serverUnavailable, detail: "The server answered \(response.status)."))
      return
    }
    guard let object = try? JSONObject(parsing: [UInt8](response.body)),
      let body = try? ErrorBody(WireFields(object))
    else {
      self = .badAnswer("The server answered \(response.status) without an error code.")
      return
    }
    self = .refused(
      ServerRefusal(
        status: response.status, message: body.message,
        reason: body.details.first.flatMap { $0.reason.isEmpty ? nil : $0.reason }),
      joins: body.consentRequired?.joins ?? [])
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
      status: status, code: ErrorCode.text(of: message), detail: detail, reason: reason)
  }
}
