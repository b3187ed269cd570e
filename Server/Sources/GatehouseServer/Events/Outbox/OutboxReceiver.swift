package import GatehouseProtocol

/// The receiver of an entry's work: one provider or hook of one project. If it doesn't respond, entries
/// for other receivers are still executed.
package struct OutboxReceiver: Hashable, Sendable {
  package let project: ProjectID
  /// The id of the provider or the hook; `none` for work that concerns neither.
  package let name: String

  package init(project: ProjectID, name: String) {
    self.project = project
    self.name = name
  }
}
