/// Makes verification codes, and hands them to whatever delivers them.
package struct PhoneCodeIssuer: Sendable {
  /// Nil where nothing can.
  let delivery: (any PhoneCodeDelivery)?
  /// In `--dev`, where anybody may list the codes.
  let keepsCodes: Bool

  package init(delivery: (any PhoneCodeDelivery)? = nil, keepsCodes: Bool = false) {
    self.delivery = delivery
    self.keepsCodes = keepsCodes
  }

  /// - Throws: ``AccountsError/messageDeliveryMissing`` where the project can't send.
  func requireDelivery(_ webhook: CodeWebhook?) throws(AccountsError) {
    guard let delivery, webhook != nil || delivery.worksWithoutWebhook else {
      throw .messageDeliveryMissing
    }
  }

  /// After the code is durable.
  ///
  /// - Throws: ``AccountsError/messageNotDelivered``.
  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(AccountsError) {
    guard let delivery else { throw .messageDeliveryMissing }
    do throws(PhoneCodeUndelivered) {
      try await delivery.deliver(message, by: webhook)
    } catch {
      throw .messageNotDelivered
    }
  }
}
