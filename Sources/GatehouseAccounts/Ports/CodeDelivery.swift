package import GatehouseModel

/// Brings an action code to who reads the mail of its address.
package protocol CodeDelivery: Sendable {
  /// Called once the code is stored. What fails is for the implementation to log and to try again:
  /// who asked for the code learns nothing of it, because the answer must not tell whether an
  /// address has an account.
  func deliver(_ message: CodeMessage) async
}

package struct CodeMessage: Sendable {
  package let purpose: ActionCode.Purpose
  /// Where it goes.
  package let recipient: EmailAddress
  /// The account's address. Another than ``recipient`` only where that is to replace it.
  package let email: EmailAddress
  /// Whoever has it can do what the code is for.
  package let link: Secret<String>
}
