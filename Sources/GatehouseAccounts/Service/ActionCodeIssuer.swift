import Foundation
package import GatehouseModel

/// Writes the link that carries a code: whoever knows the server's own address does.
package typealias CodeLink = @Sendable (_ purpose: ActionCode.Purpose, _ code: String) -> String

/// Makes action codes, and hands them to whatever delivers them.
package struct ActionCodeIssuer: Sendable {
  /// Nil where nothing can: then only administrators get codes, by asking for the link.
  package let delivery: (any CodeDelivery)?
  /// In `--dev`, where anybody may list the codes.
  private let keepsLinks: Bool

  package init(delivery: (any CodeDelivery)? = nil, keepsLinks: Bool = false) {
    self.delivery = delivery
    self.keepsLinks = keepsLinks
  }

  /// A new code; the caller stores its record.
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

  /// After the code is durable. A void one goes nowhere.
  func deliver(_ issued: IssuedActionCode?) async {
    guard let issued, let delivery, !issued.record.isVoid else { return }
    await delivery.deliver(
      CodeMessage(
        purpose: issued.record.purpose, recipient: issued.record.recipient,
        email: issued.record.email, link: issued.link))
  }
}

/// A code that was just made, with what is told of it once.
package struct IssuedActionCode: Sendable {
  package let record: ActionCode
  package let code: Secret<String>
  package let link: Secret<String>
}
