import Foundation
import GatehouseModel

/// Tells users by email what happened to their accounts, so that the owner of a stolen account learns of
/// it. The emails are queued in the transaction of the change.
struct AccountNotices: Sendable {
  let sendsMail: Bool

  /// After this time a notice is of no use.
  private static let lifetimeSeconds: TimeInterval = 3 * 86_400

  /// - Parameters:
  ///   - account: Gets the notice if its address is verified: an unverified one may be another user's.
  ///   - provider: What was linked, for ``MailTask/Kind/providerLinked``.
  ///   - language: What the request asked for.
  func add(
    _ kind: MailTask.Kind, to account: Account, provider: ProviderID? = nil, language: String?,
    in project: Project, _ transaction: any StoreTransaction, now: Date
  ) throws {
    guard sendsMail, project.policies.sendsNotices, account.isEmailVerified,
      let email = account.email
    else { return }
    try transaction.enqueue(
      .email(
        MailTask(
          kind: kind, recipient: email, email: email, newEmail: nil, uid: account.uid, code: nil,
          provider: provider, language: language,
          expiresAt: now.addingTimeInterval(Self.lifetimeSeconds), isVoid: false),
        in: project.id, now: now))
  }
}

extension OutboxEntry {
  static func email(_ task: MailTask, in project: ProjectID, now: Date) -> OutboxEntry {
    let id = OutboxID.random()
    // Emails wait for no other.
    return OutboxEntry(
      id: id, project: project, task: .sendMail(task), orderKey: "mail \(id.text)", createdAt: now)
  }
}

extension AccountsService {
  var notices: AccountNotices { AccountNotices(sendsMail: actionCodes.sendsMail) }
}
