import GatehouseJSON
import GatehouseWire

/// `accounts:delete` of one's own account. Again after a lost answer it is `USER_NOT_FOUND`, which
/// then means that it worked.
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
