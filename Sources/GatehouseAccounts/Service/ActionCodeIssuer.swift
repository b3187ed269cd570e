import Foundation
package import GatehouseModel

/// Builds the link that contains a code. The caller supplies it, because it knows the server's own
/// address.
package typealias CodeLink = @Sendable (_ purpose: ActionCode.Purpose, _ code: String) -> String

/// Creates action codes and passes them to the delivery.
package struct ActionCodeIssuer: Sendable {
  /// Nil if no delivery is configured: then only administrators get codes, by requesting the link.
  package let delivery: (any CodeDelivery)?
  /// True with `--dev`, where anyone may list the codes.
  private let keepsLinks: Bool

  package init(delivery: (any CodeDelivery)? = nil, keepsLinks: Bool = false) {
    self.delivery = delivery
    self.keepsLinks = keepsLinks
  }

  /// Creates a code; the caller stores its record.
  func make(
    _ purpose: ActionCode.Purpose, uid: UID?, email: EmailAddress, newEmail: EmailAddress? = nil,
    verifiedAt: Date? = nil, isVoid: Bool = false, link: CodeLink, now: Date
  ) throws -> IssuedActionCode {
    let text = ActionCode.randomText()
    guard let digest = ActionCode.digest(of: text) else { throw AccountsError.invalidActionCode }
    let address = Secret(link(purpose, text))
    let record = ActionCode(
      digest: digest, purpose: purpose, uid: uid, email: email, newEmail: newEmail, isVoid: isVoid,
      createdAt: now.wholeMilliseconds,
      expiresAt: now.wholeMilliseconds.addingTimeInterval(purpose.lifetimeSeconds),
      verifiedAt: verifiedAt,
      link: keepsLinks && !isVoid ? address : nil)
    return IssuedActionCode(record: record, code: Secret(text), link: address)
  }

  /// Delivers a code, after its record is durable. Void codes are not sent.
  func deliver(_ issued: IssuedActionCode?) async {
    guard let issued, let delivery, !issued.record.isVoid else { return }
    await delivery.deliver(
      CodeMessage(
        purpose: issued.record.purpose, recipient: issued.record.recipient,
        email: issued.record.email, link: issued.link))
  }
}

/// A code that was just created, with the secrets that are revealed only now.
package struct IssuedActionCode: Sendable {
  package let record: ActionCode
  package let code: Secret<String>
  package let link: Secret<String>
}
