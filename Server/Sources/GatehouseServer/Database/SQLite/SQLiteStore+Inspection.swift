/// What tests inspect beneath the records.
extension SQLiteStore {
  /// Runs a pragma on the connection that writes, and returns its value.
  package func pragma(_ text: String) async throws -> String? {
    try await write { try ($0.connection as? Connection)?.pragma(text) }
  }
}
