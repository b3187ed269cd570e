import GatehouseJSON
import GatehouseWire

/// A request to one endpoint, and how its answer is read.
protocol ServerCall: Sendable {
  associatedtype Answer: Sendable

  /// Below the server's URL: `v1/accounts:lookup`.
  var path: String { get }
  /// Whether it may be sent again when its answer was lost: the server ends up the same.
  var isRepeatable: Bool { get }
  func write(to writer: inout JSONWriter)
  /// - Throws: `WireError` for a field that is missing or of another type.
  func answer(_ fields: WireFields) throws(WireError) -> Answer
  /// What a refusal means that comes after an answer was lost: nil where it is one.
  func answer(afterLoss refusal: ServerRefusal) -> Answer?
}

extension ServerCall {
  var isRepeatable: Bool { false }
  func answer(afterLoss refusal: ServerRefusal) -> Answer? { nil }
}

/// Why a call has no answer of its kind.
enum CallError: Error {
  case refused(ServerRefusal, joins: [String])
  case network(NetworkFault)
  case badAnswer(String)
  case cancelled
}

extension WireFields {
  /// The session that an answer begins or goes on with.
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
  /// - Throws: `WireError` for a text that is no token.
  init(_ tokens: SessionTokens) throws(WireError) {
    guard let idToken = try? IDToken(parsing: tokens.idToken) else {
      throw WireError(field: "idToken", wanted: .string)
    }
    self.init(idToken: idToken, refreshToken: tokens.refreshToken)
  }
}
