import GatehouseWire

/// A request to one endpoint, and how its answer is read. The names of the fields are in the
/// messages, which the server uses too.
protocol ServerCall: Sendable {
  associatedtype Request: WireMessage
  associatedtype Response: WireMessage
  associatedtype Answer: Sendable

  /// The path below the server's URL, such as `v1/accounts:lookup`.
  var path: String { get }
  /// Whether the call may be sent again after its answer was lost: the state of the server is then
  /// the same.
  var isRepeatable: Bool { get }
  var request: Request { get }
  /// - Throws: `WireError` for a field that is missing or of another type.
  func answer(_ response: Response) throws(WireError) -> Answer
  /// The answer that a refusal stands for when it follows a lost answer; nil if it is a refusal.
  func answer(afterLoss refusal: ServerRefusal) -> Answer?
}

extension ServerCall {
  var isRepeatable: Bool { false }
  func answer(afterLoss refusal: ServerRefusal) -> Answer? { nil }
}

/// Why a call has no answer of its type.
enum CallError: Error {
  case refused(ServerRefusal, joins: [String])
  case network(NetworkFault)
  case badAnswer(String)
  case cancelled
}

extension HeldTokens {
  /// - Throws: `WireError` if the text isn't a token.
  init(_ tokens: SessionTokens) throws(WireError) {
    guard let idToken = try? IDToken(parsing: tokens.idToken) else {
      throw WireError(field: "idToken", wanted: .string)
    }
    self.init(idToken: idToken, refreshToken: tokens.refreshToken)
  }
}
