package import Foundation
package import GatehouseProtocol

/// Delivers a verification code to a phone.
package protocol PhoneCodeDelivery: Sendable {
  /// Called after the code was stored, and before the client learns that it was sent.
  ///
  /// Must end within a bounded time. Tries again if that may help. Logs what an operator must know,
  /// but never the phone number or the code.
  ///
  /// - Parameter webhook: Nil if the project has none; then ``worksWithoutWebhook`` is true.
  /// - Throws: ``PhoneCodeUndelivered``.
  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(PhoneCodeUndelivered)

  /// Whether a project without a webhook can send messages: only with `--dev`.
  var worksWithoutWebhook: Bool { get }
}

/// The delivery of a code failed.
package struct PhoneCodeUndelivered: Error, Hashable, Sendable {
  /// Whether it is certain that no message was sent.
  package let isUnsent: Bool

  package init(isUnsent: Bool = false) { self.isUnsent = isUnsent }
}

package struct PhoneCodeMessage: Sendable {
  package let project: ProjectID
  /// The name of the app in the message: the project's display name, or its id.
  package let appName: String
  package let phoneNumber: PhoneNumber
  package let code: Secret<String>
  /// The language that the client requested, a tag of RFC 5646; nil: none.
  package let language: String?
  package let createdAt: Date
  package let expiresAt: Date

  package init(
    project: ProjectID, appName: String, phoneNumber: PhoneNumber, code: Secret<String>,
    language: String?, createdAt: Date, expiresAt: Date
  ) {
    self.project = project
    self.appName = appName
    self.phoneNumber = phoneNumber
    self.code = code
    self.language = language
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

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
