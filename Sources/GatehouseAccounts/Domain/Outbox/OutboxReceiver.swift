package import GatehouseModel

/// The receiver of an entry's work: one provider of one project. If it doesn't respond, entries for
/// other receivers are still executed.
package struct OutboxReceiver: Hashable, Sendable {
  package let project: ProjectID
  /// Nil for work that concerns no provider.
  package let provider: ProviderID?

  package init(project: ProjectID, provider: ProviderID?) {
    self.project = project
    self.provider = provider
  }
}
