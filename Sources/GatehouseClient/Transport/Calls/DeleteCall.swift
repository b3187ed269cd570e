import GatehouseJSON
import GatehouseWire

/// `accounts:delete` of the user's own account. When it is sent again after a lost answer, the
/// server refuses with `USER_NOT_FOUND`, which then means success.
struct DeleteCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:delete" }
  var isRepeatable: Bool { true }

  func write(to writer: inout JSONWriter) { writer.member("idToken", idToken) }
  func answer(_ fields: WireFields) throws(WireError) {}

  func answer(afterLoss refusal: ServerRefusal) -> Void? {
    refusal.code == ErrorCode.userNotFound.rawValue ? () : nil
  }
}
