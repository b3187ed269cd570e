package import GatehouseProtocol

/// Shows action codes to a developer: with `--dev`, on the terminal.
package protocol CodeDisplay: Sendable {
  /// Called after the code was stored.
  func show(_ message: CodeMessage) async
}

package struct CodeMessage: Sendable {
  package let purpose: ActionCode.Purpose
  /// The address that the code is sent to.
  package let recipient: EmailAddress
  /// The account's address when the code was created, or the address to sign in with. It differs
  /// from ``recipient`` only if ``recipient`` is a new address that will replace it.
  package let email: EmailAddress
  /// Anyone who has the link can use the code.
  package let link: Secret<String>
  /// The six digits that can be used instead of the link; nil if there are none.
  package let digits: Secret<String>?
}
