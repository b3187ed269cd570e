package import GatehouseProtocol

extension Transaction {
  /// The project's providers as sign-ins use them. A provider that accepts bundle ids (Apple) has the
  /// bundle ids of the registered apps, which are audiences of a native app's ID tokens.
  ///
  /// - Returns: In the order of their ids, byte by byte.
  package func providersWithApps(in project: ProjectID) throws -> [ProviderConfiguration] {
    try providers(in: project).map { try withApps($0, in: project) }
  }

  /// One of ``providersWithApps(in:)``.
  package func providerWithApps(
    _ id: ProviderID, in project: ProjectID
  ) throws -> ProviderConfiguration? {
    try provider(id, in: project).map { try withApps($0, in: project) }
  }

  private func withApps(
    _ provider: ProviderConfiguration, in project: ProjectID
  ) throws -> ProviderConfiguration {
    guard provider.id.traits.acceptsBundleIDs else { return provider }
    var provider = provider
    provider.appBundleIDs = try apps(of: project).map(\.bundleID)
    return provider
  }
}
