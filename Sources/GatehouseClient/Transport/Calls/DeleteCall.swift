import Foundation
import GatehouseProtocol

/// `accounts:delete` of the user's own account. If it is sent again after a lost response, the
/// server may refuse with `USER_NOT_FOUND`, which then means success.
struct DeleteCall: ServerCall {
  var idToken: String

  var path: String { "v1/accounts:delete" }
  var isRepeatable: Bool { true }

  var request: DeleteRequest { DeleteRequest(idToken: idToken) }

  func answer(_ response: DeleteResponse) throws(WireError) -> DeletionConfirmation {
    DeletionConfirmation(
      receipt: response.receipt,
      erasesAt: response.deletionScheduledFor.flatMap { Date(wireMilliseconds: $0) })
  }

  func answer(afterLoss refusal: ServerRefusal) -> DeletionConfirmation? {
    refusal.code == ErrorCode.userNotFound.rawValue ? DeletionConfirmation() : nil
  }
}
