package import GatehouseModel

/// Delivers an action code to its email address.
package protocol CodeDelivery: Sendable {
  /// Called when the code is stored. The implementation must log failures and try again: the client
  /// that requested the code isn't told of them, because the response must not reveal whether an
  /// address has an account.
  func deliver(_ message: CodeMessage) async
}

package struct CodeMessage: Sendable {
  package let purpose: ActionCode.Purpose
  /// The address that the message is sent to.
  package let recipient: EmailAddress
  /// The account's address. It differs from ``recipient`` only if that is to replace it.
  package let email: EmailAddress
  /// Anyone who has the link can use the code.
  package let link: Secret<String>
}
