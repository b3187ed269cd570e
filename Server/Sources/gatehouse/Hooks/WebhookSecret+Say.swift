import GatehouseServer
import GatehouseProtocol

extension WebhookSecret {
  /// Prints a new secret: the only time that it is shown.
  ///
  /// - Parameter receiver: The operator's program that verifies signatures with the secret.
  func sayOnce(_ name: String = "Its secret", verifiedBy receiver: String) {
    Terminal.say("\(name), shown only once; \(receiver) verifies signatures with it:")
    Terminal.say("  \(text.reveal())")
  }
}
