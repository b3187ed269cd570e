package import Foundation
package import GatehouseProtocol

enum ProviderNotificationSQL: String, SQLStatement {
  case record = """
    INSERT INTO provider_notifications (project, provider, received_at, kind, count)
    VALUES (?, ?, ?, ?, 1)
    ON CONFLICT (project, provider) DO UPDATE SET
      received_at = excluded.received_at, kind = excluded.kind,
      count = provider_notifications.count + 1
    """
  case list = """
    SELECT provider, received_at, kind, count FROM provider_notifications
    WHERE project = ? ORDER BY provider
    """
}

extension Transaction {
  package func recordNotification(
    of provider: ProviderID, kind: ProviderEvent.Kind, at now: Date, in project: ProjectID
  ) throws {
    try connection.run(
      ProviderNotificationSQL.record, .integer(try existingKey(of: project)),
      .text(provider.text), .time(now), .text(kind.rawValue))
  }

  /// In the order of the providers' ids.
  package func notifications(in project: ProjectID) throws -> [ReceivedNotifications] {
    guard let key = try key(of: project) else { return [] }
    return try connection.all(ProviderNotificationSQL.list, .integer(key)) { row in
      ReceivedNotifications(
        provider: try row.value(0, "provider's id", ProviderID.init), lastAt: row.time(1),
        lastKind: try row.text(2), count: Int(row.integer(3)))
    }
  }
}

package struct ReceivedNotifications: Hashable, Sendable {
  package let provider: ProviderID
  package let lastAt: Date
  package let lastKind: String
  package let count: Int

  package init(provider: ProviderID, lastAt: Date, lastKind: String, count: Int) {
    self.provider = provider
    self.lastAt = lastAt
    self.lastKind = lastKind
    self.count = count
  }
}
