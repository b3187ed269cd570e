import GatehouseWire

/// `accounts:delete` of the user's own account. When it is sent again after a lost answer, the
/// server refuses with `USER_NOT_FOUND`, which then means success.
struct DeleteCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:delete" }
  var isRepeatable: Bool { true }

  var request: DeleteRequest { DeleteRequest(idToken: idToken) }
  func answer(_ response: EmptyResponse) throws(WireError) {}

  func answer(afterLoss refusal: ServerRefusal) -> Void? {
    refusal.code == ErrorCode.userNotFound.rawValue ? () : nil
  }
}
