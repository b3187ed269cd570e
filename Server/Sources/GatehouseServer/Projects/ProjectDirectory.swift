package import GatehouseProtocol
import Synchronization

/// A cache of projects, their API keys, their providers and the apps that links open.
///
/// Nearly every request needs some of these, and they rarely change. Changes that this directory makes
/// are visible in it at once. Other changes are visible after ``refresh(_:)`` has seen that the store's
/// change counter increased.
package final class ProjectDirectory: Sendable {
  private let store: any Store
  private let development: DevelopmentProjects?
  private let settling: Duration
  private let cache = Mutex(Cache())

  /// No key is longer, and none has a character outside of visible ASCII. The store isn't asked for
  /// such keys.
  private static let maximumAPIKeyBytes = 256
  private static let apiKeyBytes: ClosedRange<UInt8> = 0x21...0x7E
  /// The maximum number of cached keys. The store is asked for further keys each time. With `--dev`
  /// any text is a valid key, so clients could send any number of them.
  private static let maximumRememberedKeys = 1000

  private struct Cache {
    /// Increases with every change. A value that was read before a change must not be cached after
    /// it.
    var generation = 0
    /// The store's counter when the cache was last emptied for a change.
    var emptiedAt: Int64?
    /// The store's counter when `load` of ``ProjectDirectory/refresh(_:)`` last succeeded.
    var counter: Int64?
    /// How often in a row `load` has failed.
    var failures = 0
    /// For how many calls of ``ProjectDirectory/refresh(_:)`` `load` isn't called.
    var pause = 0
    var projects: [ProjectID: Project] = [:]
    /// By the key's UTF-8 bytes: Swift considers some different strings equal.
    var apiKeys: [[UInt8]: ProjectID] = [:]
    var providers: [ProjectID: [ProviderID: ProviderConfiguration]] = [:]
    var linkedApps: LinkedApps?
    var all: [Project]?

    mutating func forget() {
      generation += 1
      projects = [:]
      apiKeys = [:]
      providers = [:]
      linkedApps = nil
      all = nil
    }
  }

  /// - Parameters:
  ///   - development: For `--dev`, where any key is valid and projects are created when they are first
  ///     named; nil in production.
  ///   - settling: How long a function waits before it returns after a change. By then other servers
  ///     have seen the change. The administrator may send the next request to any of them.
  package init(
    store: any Store, development: DevelopmentProjects? = nil, settling: Duration = .zero
  ) {
    self.store = store
    self.development = development
    self.settling = settling
  }

  // MARK: Reading

  package func project(_ id: ProjectID) async throws -> Project? {
    let (known, generation) = cache.withLock { ($0.projects[id], $0.generation) }
    if let known { return known }
    guard let project = try await store.read({ try $0.project(id) }) else { return nil }
    remember(generation) { $0.projects[id] = project }
    return project
  }

  /// The project of a client's key. With `--dev`, an unknown key belongs to the default project.
  package func project(apiKey: String) async throws -> Project? {
    let bytes = Array(apiKey.utf8.prefix(Self.maximumAPIKeyBytes + 1))
    let (known, generation) = cache.withLock { ($0.apiKeys[bytes], $0.generation) }
    if let known, let project = try await project(known) { return project }
    if bytes.count <= Self.maximumAPIKeyBytes, bytes.allSatisfy(Self.apiKeyBytes.contains),
      let key = try await store.read({ try $0.apiKey(apiKey) })
    {
      remember(generation, bytes, for: key.project)
      return try await project(key.project)
    }
    guard let development else { return nil }
    remember(generation, bytes, for: development.defaultProject)
    return try await projectForAdministrator(development.defaultProject)
  }

  /// The project's API keys, ordered by their text.
  package func apiKeys(of project: ProjectID) async throws -> [APIKey] {
    try await store.read { try $0.apiKeys(of: project) }
  }

  /// The project's apps, in the order of their bundle ids.
  package func apps(of project: ProjectID) async throws -> [App] {
    try await store.read { try $0.apps(of: project) }
  }

  /// The project's apps on Android, in the order of their package names.
  package func androidApps(of project: ProjectID) async throws -> [AndroidApp] {
    try await store.read { try $0.androidApps(of: project) }
  }

  /// The project in the path of an administrator's request. With `--dev` it is created if needed.
  package func projectForAdministrator(_ id: ProjectID) async throws -> Project? {
    if let project = try await project(id) { return project }
    guard let development else { return nil }
    try await store.write { transaction in
      guard try transaction.project(id) == nil else { return }
      let (project, providers) = development.make(id)
      try transaction.save(project)
      for provider in providers { try transaction.save(provider, in: id) }
    }
    forget()
    return try await project(id)
  }

  package func provider(
    _ id: ProviderID, in project: ProjectID
  ) async throws -> ProviderConfiguration? {
    try await providersByID(in: project)[id]
  }

  /// The apps of every project that this server's links may open.
  package func linkedApps() async throws -> LinkedApps {
    let (known, generation) = cache.withLock { ($0.linkedApps, $0.generation) }
    if let known { return known }
    let apps = try await store.read { try LinkedApps(reading: $0) }
    remember(generation) { $0.linkedApps = apps }
    return apps
  }

  /// Every project, for documents of the host that name none.
  package func projects() async throws -> [Project] {
    let (known, generation) = cache.withLock { ($0.all, $0.generation) }
    if let known { return known }
    let projects = try await store.read { try $0.projects() }
    remember(generation) { $0.all = projects }
    return projects
  }

  /// In the order of their ids, byte by byte.
  package func providers(in project: ProjectID) async throws -> [ProviderConfiguration] {
    try await store.read { try $0.providersWithApps(in: project) }
  }

  private func providersByID(
    in project: ProjectID
  ) async throws -> [ProviderID: ProviderConfiguration] {
    let (known, generation) = cache.withLock { ($0.providers[project], $0.generation) }
    if let known { return known }
    let providers = try await store.read { try $0.providersWithApps(in: project) }
    let byID = Dictionary(providers.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
    remember(generation) { $0.providers[project] = byID }
    return byID
  }

  // MARK: Changing

  /// Creates a project and its first API key.
  ///
  /// - Throws: ``StoreError/conflict(_:)`` with `project` if there is one with the id.
  func create(_ project: Project) async throws -> APIKey {
    let key = APIKey.random(for: project.id)
    try await changing { transaction in
      guard try transaction.project(project.id) == nil else { throw StoreError.conflict(.project) }
      try transaction.save(project)
      try transaction.insert(key)
    }
    return key
  }

  /// Changes a project in one transaction.
  ///
  /// - Returns: The project afterwards; nil if there is none.
  package func updateProject(
    _ id: ProjectID, _ change: @escaping @Sendable (inout Project) throws -> Void
  ) async throws -> Project? {
    try await changing { transaction in
      guard var project = try transaction.project(id) else { return nil }
      try change(&project)
      try transaction.save(project)
      return project
    }
  }

  /// Creates a provider. With `--dev`, it may replace a provider that was created with the project and
  /// is unchanged: test suites create their providers as in an empty project.
  ///
  /// - Returns: False if the project has the maximum number of providers.
  /// - Throws: ``StoreError/conflict(_:)`` with `provider` if the project has another provider with the
  ///   id.
  package func createProvider(
    _ provider: ProviderConfiguration, in project: ProjectID
  ) async throws -> Bool {
    let madeUp = development?.make(project).1.first { $0.id == provider.id }
    return try await changing { transaction in
      guard let existing = try transaction.provider(provider.id, in: project) else {
        return try transaction.add(provider, to: project)
      }
      guard let madeUp, existing.isStill(madeUp) else { throw StoreError.conflict(.provider) }
      try transaction.save(provider, in: project)
      return true
    }
  }

  /// - Returns: The configuration afterwards; nil if there is none.
  package func updateProvider(
    _ id: ProviderID, in project: ProjectID,
    _ change: @escaping @Sendable (inout ProviderConfiguration) throws -> Void
  ) async throws -> ProviderConfiguration? {
    try await changing { transaction in
      guard var provider = try transaction.provider(id, in: project) else { return nil }
      try change(&provider)
      try transaction.save(provider, in: project)
      return provider
    }
  }

  /// False if there was none.
  package func deleteProvider(_ id: ProviderID, in project: ProjectID) async throws -> Bool {
    try await changing { try $0.deleteProvider(id, in: project) }
  }

  /// Changes settings in one transaction: this server sees the change at once, and others before this returns.
  package func changing<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    defer { forget() }
    let result = try await store.write(body)
    forget()
    if settling > .zero { try? await Task.sleep(for: settling) }
    return result
  }

  // MARK: Refreshing

  /// Empties the cache if any process changed something since the last call. The first call empties
  /// the cache too, because its contents may be older than the counter.
  ///
  /// - Parameter load: Loads what else the process keeps in memory. After a failure the next call of
  ///   this function calls it again. After each further failure a longer pause follows, of at most 50
  ///   calls.
  /// - Returns: Whether something changed and `load` succeeded.
  package func refresh(_ load: () async throws -> Void = {}) async throws -> Bool {
    let counter = try await store.changeCounter()
    let isToLoad = cache.withLock { cache in
      guard cache.counter != counter else { return false }
      if cache.emptiedAt != counter {
        cache.forget()
        cache.emptiedAt = counter
        cache.pause = 0
      }
      cache.pause -= 1
      return cache.pause < 0
    }
    guard isToLoad else { return false }
    do {
      try await load()
    } catch {
      cache.withLock { cache in
        cache.pause = min(Self.greatestPause, (1 << cache.failures) - 1)
        cache.failures = min(cache.failures + 1, 16)
      }
      throw error
    }
    cache.withLock { cache in
      cache.counter = counter
      cache.failures = 0
    }
    return true
  }

  /// The longest pause, in calls. A server makes ten calls a second.
  private static let greatestPause = 50

  private func forget() { cache.withLock { $0.forget() } }

  private func remember(_ generation: Int, _ apiKey: [UInt8], for project: ProjectID) {
    remember(generation) { cache in
      if cache.apiKeys.count < Self.maximumRememberedKeys { cache.apiKeys[apiKey] = project }
    }
  }

  private func remember(_ generation: Int, _ change: (inout Cache) -> Void) {
    cache.withLock { cache in
      if cache.generation == generation { change(&cache) }
    }
  }
}

/// How `--dev` creates projects.
package struct DevelopmentProjects: Sendable {
  /// The project of an unknown API key.
  package let defaultProject: ProjectID
  /// A new project and its providers.
  package let make: @Sendable (ProjectID) -> (Project, [ProviderConfiguration])

  package init(
    defaultProject: ProjectID,
    make: @escaping @Sendable (ProjectID) -> (Project, [ProviderConfiguration])
  ) {
    self.defaultProject = defaultProject
    self.make = make
  }
}

extension ProviderConfiguration {
  /// Whether the configuration still has the client, issuer, name and state with which `--dev`
  /// created it.
  fileprivate func isStill(_ madeUp: ProviderConfiguration) -> Bool {
    let texts = { (provider: ProviderConfiguration) in
      [
        provider.clientID, provider.issuer ?? "", provider.displayName ?? "",
        provider.clientSecret?.reveal() ?? "",
      ] + provider.additionalClientIDs + (provider.apple?.bundleIDs ?? [])
    }
    return isEnabled == madeUp.isEnabled && clientKey == nil
      && texts(self).elementsEqual(texts(madeUp)) { $0.hasSameBytes(as: $1) }
  }
}

extension ProviderConfiguration {
  package static let maximumPerProject = 200
}

extension Transaction {
  /// Saves a provider that the project does not have.
  ///
  /// - Returns: False if the project has `ProviderConfiguration.maximumPerProject` providers. Then nothing
  ///   is written.
  package func add(_ provider: ProviderConfiguration, to project: ProjectID) throws -> Bool {
    guard try providers(in: project).count < ProviderConfiguration.maximumPerProject else {
      return false
    }
    try save(provider, in: project)
    return true
  }
}
