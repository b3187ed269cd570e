/// Reads linked events of all projects in the order of their positions, on any server.
package struct EventFeed: Sendable {
  private let store: any Store
  private static let page = 200

  package init(store: any Store) { self.store = store }

  /// The position of the last event.
  package func end() async throws -> Int64 { try await store.read { try $0.lastEventPosition() } }

  /// The first events after `position`, at most 200.
  package func links(after position: Int64) async throws -> [EventLink] {
    try await store.read { try $0.eventLinks(after: position, limit: Self.page) }
  }
}
