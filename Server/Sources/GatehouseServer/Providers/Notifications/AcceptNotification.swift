package import GatehouseProtocol

package import struct Foundation.Date

extension AccountsService {
  /// Stores a provider's verified events; the outbox applies them. Returns only when they are durable,
  /// because a provider doesn't have to deliver them again.
  ///
  /// - Parameters:
  ///   - events: Empty if this server knows none of the notification's events.
  ///   - use: Identifies the notification. A notification that arrived before has no effect.
  ///   - jws: The notification. It is forwarded if the provider's configuration names a receiver.
  /// - Returns: False if the notification arrived before.
  @discardableResult
  package func accept(
    _ events: [ProviderEvent], of provider: ProviderID, use: SingleUseToken, jws: String,
    in project: Project, now: Date
  ) async throws -> Bool {
    try await store.write { transaction in
      guard try transaction.spend(use, in: project.id) else { return false }
      for event in events {
        try transaction.recordNotification(
          of: provider, kind: event.kind, at: now, in: project.id)
        guard let subject = event.subject else { continue }
        try transaction.enqueue(
          OutboxEntry(
            project: project.id, task: .applyEvent(event),
            orderKey: "\(provider) \(subject)", createdAt: now))
      }
      if try transaction.provider(provider, in: project.id)?.notificationForwardURL != nil {
        let subject = events.lazy.compactMap(\.subject).first
        try transaction.enqueue(
          OutboxEntry(
            project: project.id,
            task: .forwardNotification(
              ForwardTask(provider: provider, subject: subject, jws: jws)),
            orderKey: "forward \(provider) \(subject?.text ?? "")", createdAt: now))
      }
      return true
    }
  }

  /// Records that the server is about to revoke the user's grant at a provider. The provider may report
  /// the revocation as a withdrawal, before or after it responds to the server. This report must not end
  /// the session in which the user requested the revocation.
  package func expectRevocation(
    at provider: ProviderID, by uid: UID, in project: Project, now: Date
  ) async throws {
    try await store.write {
      try $0.expectRevocation(at: provider, by: uid, in: project.id, now: now)
    }
  }
}

extension Transaction {
  /// See ``AccountsService/expectRevocation(at:by:in:now:)``.
  package func expectRevocation(
    at provider: ProviderID, by uid: UID, in project: ProjectID, now: Date
  ) throws {
    guard let before = try account(uid, in: project),
      let index = before.identities.firstIndex(where: { $0.provider == provider })
    else { return }
    var account = before
    account.identities[index].revocationRequestedAt = now
    try save(account, replacing: before, in: project, now: now)
  }
}
