package import GatehouseModel

/// For whom an entry's work is: one provider of one project. If it hangs, the entries of others go on.
package struct OutboxReceiver: Hashable, Sendable {
  package let project: ProjectID
  /// Nil for work that is about no provider.
  package let provider: ProviderID?

  package init(project: ProjectID, provider: ProviderID?) {
    self.project = project
    self.provider = provider
  }
}
