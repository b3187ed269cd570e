import Foundation
import GatehouseProtocol

/// Sends an email that was stored with the change that caused it.
struct MailExecutor: Sendable {
  let store: any Store
  /// Nil if this server sends no mail.
  let mailer: (any Mailer)?

  func execute(_ task: MailTask, _ entry: OutboxEntry, now: Date) async throws -> OutboxResult {
    guard !task.isVoid else { return .done }
    guard now < task.expiresAt else { return .failed("the email expired before it could be sent") }
    guard let mailer else { return .retry("no mail server is configured") }
    let id = entry.project
    let (found, account, provider, code, templates) = try await store.read { transaction in
      (
        try transaction.project(id), try task.uid.flatMap { try transaction.account($0, in: id) },
        try task.provider.flatMap { try transaction.provider($0, in: id) },
        try task.code.flatMap { try transaction.actionCode(digest: $0.digest, in: id) },
        try transaction.emailTemplates(of: task.kind, in: id)
      )
    }
    guard let project = found else { return .failed("the project was deleted") }
    // The code was used or replaced, or the account gave up the address or was deleted, while the email
    // waited.
    guard task.code == nil || code.map({ !$0.isVoid && !$0.isReleased }) == true else {
      return .done
    }
    // Apple's relay would reject the email, and count this against the sender.
    if account?.hasStoppedMail(to: task.recipient) == true {
      return .failed("the user stopped mail to this relay address")
    }
    let order = MailOrder(
      id: entry.id, task: task, project: project, templates: templates,
      displayName: account?.name(for: task.recipient),
      providerName: task.provider.map { Self.name(of: $0, provider) })
    return switch await mailer.send(order) {
    case .sent: .done
    case .retry(let reason): .retry(reason)
    case .failed(let reason): .failed(reason)
    }
  }

  private static func name(of id: ProviderID, _ configuration: ProviderConfiguration?) -> String {
    if let kind = IdentityProviders.kind(of: id), kind.id != nil { return kind.displayName }
    return configuration?.displayName ?? id.text
  }
}

extension Account {
  /// Nil unless the recipient is known to be the account's user: anyone can sign up with another
  /// user's address and a name that is an advertisement.
  fileprivate func name(for recipient: EmailAddress) -> String? {
    isEmailVerified && email == recipient ? displayName : nil
  }

  fileprivate func hasStoppedMail(to address: EmailAddress) -> Bool {
    identities.contains { $0.isForwardingDisabled == true && $0.email == address }
  }
}
