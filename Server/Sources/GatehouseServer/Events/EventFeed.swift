/// Reads linked events of all projects in the order of their positions, on any server.
package struct EventFeed: Sendable {
  private let store: any Store
  /// How many links are read at once.
  package static let page = 200

  package init(store: any Store) { self.store = store }

  /// The position of the last event.
  package func end() async throws -> Int64 { try await store.read { try $0.lastEventPosition() } }

  /// Of the first ``page`` events after `position`, those that this version can read.
  package func links(after position: Int64) async throws -> [EventLink] {
    try await store.read { try $0.eventLinks(after: position, limit: Self.page) }
  }
}
