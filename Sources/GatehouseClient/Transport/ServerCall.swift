import GatehouseProtocol

/// A request to one endpoint, and how its response is read. The message types have the names of the
/// fields; the server uses the same types.
protocol ServerCall: Sendable {
  associatedtype Request: WireMessage
  associatedtype Response: WireMessage
  associatedtype Answer: Sendable

  /// The path below the server's URL, such as `v1/accounts:lookup`.
  var path: String { get }
  var method: TransportRequest.Method { get }
  /// Whether the call may be sent again if its response may have been lost: sending it twice does
  /// no harm.
  var isRepeatable: Bool { get }
  /// The body of a POST.
  var request: Request { get }
  /// - Throws: `WireError` for a field that is missing or of another type.
  func answer(_ response: Response) throws(WireError) -> Answer
  /// The result if `refusal` follows an attempt whose response was lost, and shows that this
  /// attempt succeeded. Otherwise nil.
  func answer(afterLoss refusal: ServerRefusal) -> Answer?
}

extension ServerCall {
  var method: TransportRequest.Method { .post }
  var isRepeatable: Bool { false }
  func answer(afterLoss refusal: ServerRefusal) -> Answer? { nil }
}

/// Why a call has no result.
enum CallError: Error {
  case refused(ServerRefusal, joins: [String])
  case network(NetworkFault)
  case badAnswer(String)
  case cancelled
}

extension HeldTokens {
  /// - Throws: `WireError` if the ID token can't be read.
  init(_ tokens: SessionTokens) throws(WireError) {
    guard let idToken = try? IDToken(parsing: tokens.idToken) else {
      throw WireError(field: "idToken", wanted: .string)
    }
    self.init(idToken: idToken, refreshToken: tokens.refreshToken)
  }
}
