package import GatehouseModel

/// Shows action codes to a developer: in `--dev`, on the terminal.
package protocol CodeDisplay: Sendable {
  /// Called when the code is stored.
  func show(_ message: CodeMessage) async
}

package struct CodeMessage: Sendable {
  package let purpose: ActionCode.Purpose
  /// The address that the code is sent to.
  package let recipient: EmailAddress
  /// The account's address. It differs from ``recipient`` only if ``recipient`` is a new address
  /// that will replace it.
  package let email: EmailAddress
  /// Anyone who has the link can use the code.
  package let link: Secret<String>
  /// The six digits that can be used instead; nil if there are none.
  package let digits: Secret<String>?
}
