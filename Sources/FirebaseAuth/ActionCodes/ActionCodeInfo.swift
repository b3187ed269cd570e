public import Foundation
package import GatehouseClient

/// What a mailed code is for, by the server's word.
open class ActionCodeInfo: NSObject {
  public let operation: ActionCodeOperation
  /// The address that the code was sent to, or that a change leads to. Empty where the server
  /// doesn't say.
  public let email: String
  /// The address before the change, for ``ActionCodeOperation/recoverEmail`` and
  /// ``ActionCodeOperation/verifyAndChangeEmail``.
  public let previousEmail: String?

  package init(operation: ActionCodeOperation, email: String, previousEmail: String?) {
    self.operation = operation
    self.email = email
    self.previousEmail = previousEmail
  }

  /// With a new address, the server's `email` is the one before.
  package convenience init(_ contents: ActionCodeContents) {
    self.init(
      operation: ActionCodeOperation(requestType: contents.requestType),
      email: contents.newEmail ?? contents.email ?? "",
      previousEmail: contents.newEmail == nil ? nil : contents.email)
  }
}
