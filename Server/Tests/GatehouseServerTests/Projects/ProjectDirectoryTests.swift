import Foundation
import GatehouseServer
import GatehouseProtocol
import Synchronization
import Testing

@Suite struct ProjectDirectoryTests {
  @Test func `a project and its key are found`() async throws {
    try await withWorld { world in
      try await addKey("AIzaExample-K", world)
      let directory = ProjectDirectory(store: world.store)
      #expect(try await directory.project(world.project.id)?.id == world.project.id)
      #expect(try await directory.project(apiKey: "AIzaExample-K")?.id == world.project.id)
      #expect(try await directory.project(apiKey: "AIzaExample-K")?.id == world.project.id)
    }
  }

  @Test func `in production an unknown key or project isn't found`() async throws {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      let unknown = try #require(ProjectID("unknown-project"))
      for key in ["", "nobody's", String(repeating: "k", count: 100_000)] {
        #expect(try await directory.project(apiKey: key) == nil)
      }
      #expect(try await directory.project(unknown) == nil)
      #expect(try await directory.projectForAdministrator(unknown) == nil)
    }
  }

  @Test func `a key that Swift considers equal is another key`() async throws {
    try await withWorld { world in
      try await addKey("AIzaExample-K", world)
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.project(apiKey: "AIzaExample-K")
      #expect(try await directory.project(apiKey: "AIzaExample-\u{212A}") == nil)
    }
  }

  @Test func `a change of this process is visible at once`() async throws {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.project(world.project.id)
      let changed = try await directory.updateProject(world.project.id) {
        $0.displayName = "Changed"
      }
      #expect(changed?.displayName == "Changed")
      #expect(try await directory.project(world.project.id)?.displayName == "Changed")
    }
  }

  @Test func `a change of another process is visible after a refresh`() async throws {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.refresh()
      _ = try await directory.project(world.project.id)
      try await change(world)
      #expect(try await directory.project(world.project.id)?.displayName == nil)
      #expect(try await directory.refresh())
      #expect(try await directory.project(world.project.id)?.displayName == "Changed")
      #expect(try await !directory.refresh())
    }
  }

  @Test func `what could not be loaded after a change is loaded by the next refresh`() async throws
  {
    struct Failure: Error {}
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.refresh()
      try await change(world)
      await #expect(throws: Failure.self) { try await directory.refresh { throw Failure() } }
      var loads = 0
      #expect(try await directory.refresh { loads += 1 })
      #expect(try await !directory.refresh { loads += 1 })
      #expect(loads == 1)
    }
  }

  @Test func `what can't be loaded is tried less and less often, and the cache stays`() async throws
  {
    struct Failure: Error {}
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.refresh()
      try await change(world)
      var loads: [Int] = []
      for call in 0..<500 {
        _ = try? await directory.refresh {
          loads.append(call)
          throw Failure()
        }
      }
      #expect(loads.prefix(5) == [0, 1, 3, 7, 15])
      #expect(loads.count == 15)
      // Another change is loaded at once.
      try await change(world)
      #expect(try await directory.refresh())
    }
  }

  @Test func `a change of another process before the first refresh is visible too`() async throws {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      _ = try await directory.project(world.project.id)
      try await change(world)
      _ = try await directory.refresh()
      #expect(try await directory.project(world.project.id)?.displayName == "Changed")
    }
  }

  @Test func `a value read before a concurrent change isn't cached`() async throws {
    try await withWorld { world in
      let slow = SlowStore(world.store)
      let directory = ProjectDirectory(store: slow)
      slow.afterNextRead {
        _ = try await directory.updateProject(world.project.id) { $0.displayName = "Changed" }
      }
      let overtaken = try await directory.project(world.project.id)
      #expect(overtaken?.displayName == nil)
      let current = try await directory.project(world.project.id)
      #expect(current?.displayName == "Changed")
    }
  }

  @Test func `providers are created, changed and deleted`() async throws {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      let id = try await world.otherProject().id
      let google = ProviderConfiguration(id: .google, clientID: "client", trustEmail: .always)
      #expect(try await directory.provider(.google, in: id) == nil)
      #expect(try await directory.createProvider(google, in: id))
      #expect(try await directory.provider(.google, in: id)?.clientID == "client")
      await #expect(throws: StoreError.conflict(.provider)) {
        _ = try await directory.createProvider(google, in: id)
      }
      _ = try await directory.updateProvider(.google, in: id) { $0.clientID = "other" }
      #expect(try await directory.provider(.google, in: id)?.clientID == "other")
      #expect(try await directory.providers(in: id).map(\.id) == [.google])
      #expect(try await directory.deleteProvider(.google, in: id))
      #expect(try await !directory.deleteProvider(.google, in: id))
      #expect(try await directory.provider(.google, in: id) == nil)
      #expect(try await directory.updateProvider(.google, in: id) { _ in }?.id == nil)
    }
  }

  @Test func `a project has at most 200 providers, also when many are created at once`()
    async throws
  {
    try await withWorld { world in
      let directory = ProjectDirectory(store: world.store)
      let id = try await world.otherProject().id
      let providers = try (0..<199).map { number in
        ProviderConfiguration(
          id: try #require(ProviderID("oidc.p\(number)")), clientID: "client", trustEmail: .never)
      }
      try await world.store.write { for provider in providers { try $0.save(provider, in: id) } }
      let added = try await withThrowingTaskGroup(of: Bool.self) { group in
        for name in ["oidc.x", "oidc.y", "oidc.z"] {
          let provider = ProviderConfiguration(
            id: try #require(ProviderID(name)), clientID: "client", trustEmail: .never)
          group.addTask { try await directory.createProvider(provider, in: id) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(added.count(where: { $0 }) == 1)
      #expect(try await directory.providers(in: id).count == 200)
    }
  }

  @Test func `in development projects are created when they are first named`() async throws {
    try await withWorld { world in
      let demo = try #require(ProjectID("demo"))
      let policies = world.project.policies
      let directory = ProjectDirectory(
        store: world.store,
        development: DevelopmentProjects(defaultProject: demo) { id in
          let project = Project(
            id: id, number: 1, issuer: "https://securetoken.google.com/\(id)",
            authorizedDomains: ["localhost"], policies: policies)
          return (
            project, [ProviderConfiguration(id: .google, clientID: "c", trustEmail: .always)]
          )
        })
      #expect(try await directory.project(demo) == nil)
      #expect(try await directory.project(apiKey: "any")?.id == demo)
      #expect(try await directory.provider(.google, in: demo)?.clientID == "c")
      let named = try #require(ProjectID("named-project"))
      #expect(try await directory.projectForAdministrator(named)?.id == named)
      // A changed project isn't created again.
      _ = try await directory.updateProject(demo) { $0.displayName = "Mine" }
      #expect(try await directory.project(apiKey: "another")?.displayName == "Mine")
    }
  }

  private func addKey(_ text: String, _ world: World) async throws {
    let project = world.project.id
    try await world.store.write { try $0.insert(APIKey(text: text, project: project)) }
  }

  /// Changes the project as another process does, without the directory.
  private func change(_ world: World) async throws {
    var changed = world.project
    changed.displayName = "Changed"
    let project = changed
    try await world.store.write { try $0.save(project) }
  }

  /// Runs an action between a read and its return.
  private final class SlowStore: Store {
    private let store: any Store
    private let interruption = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ store: any Store) { self.store = store }

    func afterNextRead(_ work: @escaping @Sendable () async throws -> Void) {
      interruption.withLock { $0 = work }
    }

    func read<Result: Sendable>(
      _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
      let result = try await store.read(body)
      let work = interruption.withLock { interruption in
        defer { interruption = nil }
        return interruption
      }
      try await work?()
      return result
    }

    func write<Result: Sendable>(
      _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
      try await store.write(body)
    }

    func changeCounter() async throws -> Int64 { try await store.changeCounter() }

    func close() async { await store.close() }
  }
}
