import GatehouseProtocol

extension ReturnAddresses {
  /// The addresses that belong to the project now.
  static func of(
    _ project: Project, _ services: APIServices, _ configuration: APIConfiguration
  ) async throws -> ReturnAddresses {
    let apps = try await services.projects.apps(of: project.id)
    let apple = try await services.projects.provider(.apple, in: project.id)
    let google = try await services.projects.provider(.google, in: project.id)
    return ReturnAddresses(
      domains: project.authorizedDomains, listed: project.policies.redirectURLs,
      callbackPath: configuration.pathPrefix + unprefixedCallbackPath, apps: apps,
      bundleIDs: apps.map(\.bundleID) + (apple?.apple?.bundleIDs ?? []),
      googleClientIDs: google.map { [$0.clientID] + $0.additionalClientIDs } ?? [],
      isDevelopment: configuration.development != nil)
  }
}
