/// Passes verification codes to the delivery.
package struct PhoneCodeIssuer: Sendable {
  /// Nil if no delivery is configured.
  let delivery: (any PhoneCodeDelivery)?
  /// True with `--dev`, where anyone may list the codes.
  let keepsCodes: Bool

  package init(delivery: (any PhoneCodeDelivery)? = nil, keepsCodes: Bool = false) {
    self.delivery = delivery
    self.keepsCodes = keepsCodes
  }

  /// - Throws: ``AccountsError/messageDeliveryMissing`` if the project can't send messages.
  func requireDelivery(_ webhook: CodeWebhook?) throws(AccountsError) {
    guard let delivery, webhook != nil || delivery.worksWithoutWebhook else {
      throw .messageDeliveryMissing
    }
  }

  /// Delivers a code, after its record is durable.
  ///
  /// - Returns: Why the delivery failed; nil if it succeeded.
  /// - Throws: ``AccountsError/messageDeliveryMissing``.
  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(AccountsError) -> PhoneCodeUndelivered? {
    guard let delivery else { throw .messageDeliveryMissing }
    do throws(PhoneCodeUndelivered) {
      try await delivery.deliver(message, by: webhook)
      return nil
    } catch {
      return error
    }
  }
}
