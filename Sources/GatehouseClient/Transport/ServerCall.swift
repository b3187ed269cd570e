import GatehouseJSON
import GatehouseWire

/// A request to one endpoint, and how its answer is read.
protocol ServerCall: Sendable {
  associatedtype Answer: Sendable

  /// The path below the server's URL, such as `v1/accounts:lookup`.
  var path: String { get }
  /// Whether the call may be sent again after its answer was lost: the state of the server is then
  /// the same.
  var isRepeatable: Bool { get }
  func write(to writer: inout JSONWriter)
  /// - Throws: `WireError` for a field that is missing or of another type.
  func answer(_ fields: WireFields) throws(WireError) -> Answer
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

extension WireFields {
  /// The session that an answer begins or continues.
  func requiredTokens() throws(WireError) -> HeldTokens {
    try HeldTokens(SessionTokens(self))
  }

  /// Nil for an answer without a session.
  func tokens() throws(WireError) -> HeldTokens? {
    guard try nonEmptyString("idToken") != nil else { return nil }
    return try requiredTokens()
  }
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
