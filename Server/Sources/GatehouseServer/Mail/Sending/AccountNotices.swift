import Foundation
import GatehouseProtocol

/// Informs users by email about changes of their accounts, so that the user of a stolen account learns
/// of the theft. The transaction of the change queues the email.
struct AccountNotices: Sendable {
  let sendsMail: Bool

  /// A notice that could not be sent within this time is dropped. Seconds.
  private static let lifetimeSeconds: TimeInterval = 3 * 86_400

  /// - Parameters:
  ///   - account: Gets the notice only if its address is verified, because an unverified address may
  ///     belong to another user.
  ///   - provider: The linked provider, for ``MailKind/providerLinked``.
  ///   - usefulUntil: If the notice can't be sent by this time, it is dropped. Nil: after three days.
  ///   - language: The language that the request names.
  func add(
    _ kind: MailKind, to account: Account, provider: ProviderID? = nil,
    usefulUntil: Date? = nil, language: String?,
    in project: Project, _ transaction: Transaction, now: Date
  ) throws {
    guard sendsMail, project.policies.sendsNotices, account.isEmailVerified,
      let email = account.email
    else { return }
    try transaction.enqueue(
      .email(
        MailTask(
          kind: kind, recipient: email, email: email, newEmail: nil, uid: account.uid, code: nil,
          provider: provider, languages: MailTask.languages(named: language, of: account),
          expiresAt: usefulUntil ?? now.addingTimeInterval(Self.lifetimeSeconds), isVoid: false),
        in: project.id, now: now))
  }
}

extension OutboxEntry {
  /// - Parameter orderKey: See `mailOrderKey` of ``ActionCode``. Nil: emails don't wait for each other, so each
  ///   has an order key of its own.
  static func email(
    _ task: MailTask, orderKey: String? = nil, in project: ProjectID, now: Date
  ) -> OutboxEntry {
    let id = OutboxID.random()
    return OutboxEntry(
      id: id, project: project, task: .sendMail(task), orderKey: orderKey ?? "mail \(id.text)",
      createdAt: now)
  }
}

extension AccountsService {
  var notices: AccountNotices { AccountNotices(sendsMail: actionCodes.sendsMail) }
}
