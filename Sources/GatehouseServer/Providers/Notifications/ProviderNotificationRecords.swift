package import GatehouseModel

package import struct Foundation.Date

/// The last notification of each provider, and how many arrived: for operators.
package protocol ProviderNotificationRecords {
  func recordNotification(
    of provider: ProviderID, kind: ProviderEvent.Kind, at now: Date, in project: ProjectID) throws

  /// In the order of the providers' ids.
  func notifications(in project: ProjectID) throws -> [ReceivedNotifications]
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
