package import Foundation
package import GatehouseModel

/// Brings a verification code to a telephone.
package protocol PhoneCodeDelivery: Sendable {
  /// Called once the code is stored, and before the client learns that it was sent.
  ///
  /// Bounded in time. Tries again where that may help, and logs what an operator has to know: whom
  /// the code was for, and the code, are none of it.
  ///
  /// - Parameter webhook: Nil where the project has none and the delivery said that it needs none.
  /// - Throws: ``PhoneCodeUndelivered``.
  func deliver(
    _ message: PhoneCodeMessage, by webhook: CodeWebhook?
  ) async throws(PhoneCodeUndelivered)

  /// Whether a project without a webhook can send: in `--dev` alone.
  var worksWithoutWebhook: Bool { get }
}

/// Nobody took the code over.
package struct PhoneCodeUndelivered: Error, Hashable, Sendable {
  package init() {}
}

package struct PhoneCodeMessage: Sendable {
  package let project: ProjectID
  /// The project's name, or its id: what the message calls the app.
  package let appName: String
  package let phoneNumber: PhoneNumber
  package let code: Secret<String>
  /// The language that the client asked for, a tag of RFC 5646; nil: none.
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
