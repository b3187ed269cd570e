import GatehouseProtocol

/// `accounts:export` of the user's own account.
struct ExportCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:export" }
  var isRepeatable: Bool { true }

  var request: ExportRequest { ExportRequest(idToken: idToken) }

  func answer(_ response: ExportResponse) throws(WireError) -> [UInt8] { response.document }
}
