public import Foundation
package import GatehouseClient

/// What an action code is for, as the server reports it.
open class ActionCodeInfo: NSObject {
  public let operation: ActionCodeOperation
  /// The address to which the code was sent or, for a change, the new address. Empty if the server
  /// doesn't return one.
  public let email: String
  /// The address before the change, for ``ActionCodeOperation/recoverEmail`` and
  /// ``ActionCodeOperation/verifyAndChangeEmail``.
  public let previousEmail: String?

  package init(operation: ActionCodeOperation, email: String, previousEmail: String?) {
    self.operation = operation
    self.email = email
    self.previousEmail = previousEmail
  }

  /// If there is a new address, the server's `email` is the previous one.
  package convenience init(_ contents: ActionCodeContents) {
    self.init(
      operation: ActionCodeOperation(requestType: contents.requestType),
      email: contents.newEmail ?? contents.email ?? "",
      previousEmail: contents.newEmail == nil ? nil : contents.email)
  }
}
