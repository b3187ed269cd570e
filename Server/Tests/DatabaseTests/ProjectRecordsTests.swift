import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct ProjectRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a project is read with every value, and saving replaces it`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      var project = try Sample.project("first-project")
      let before = try await store.read { try $0.project(Sample.first) }
      #expect(contents(before) == contents(Optional(project)))
      project.displayName = nil
      project.authorizedDomains = []
      project.policies.refreshGraceSeconds = 7
      let saved = project
      try await store.write { try $0.save(saved) }
      let (after, ids) = try await store.read { transaction in
        (try transaction.project(saved.id), try transaction.projects().map(\.id.text))
      }
      #expect(contents(after) == contents(Optional(saved)))
      #expect(ids == ["first-project", "second-project"])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `blocking functions are read with their secrets, and a project has none at first`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      var project = try Sample.project("first-project")
      let none = try #require(try await store.read { try $0.project(Sample.first) })
      #expect(none.blockingFunctions.isUnset)
      let time = Date(timeIntervalSince1970: 1_800_000_000.125)
      _ = project.blockingFunctions.set(
        .beforeSignIn, url: "https://f.example.com/", onFailure: .allow, now: time)
      _ = project.blockingFunctions.set(
        .beforeSignIn, url: "https://f.example.com/2", rotatesSecret: true, now: time)
      project.blockingFunctions.forwarded = [.accessToken]
      let saved = project
      try await store.write { try $0.save(saved) }
      let after = try #require(try await store.read { try $0.project(Sample.first) })
      let function = try #require(after.blockingFunctions.beforeSignIn)
      let expected = try #require(saved.blockingFunctions.beforeSignIn)
      #expect(function.url == "https://f.example.com/2")
      #expect(function.onFailure == .allow)
      #expect(function.updatedAt == time)
      #expect(
        function.secrets.map { $0.text.reveal() } == expected.secrets.map { $0.text.reveal() })
      #expect(function.secrets.count == 2)
      #expect(after.blockingFunctions.beforeCreate == nil)
      #expect(after.blockingFunctions.forwarded == [.accessToken])
      var without = saved
      without.blockingFunctions = BlockingFunctions()
      let removed = without
      try await store.write { try $0.save(removed) }
      #expect(
        try await store.read { try $0.project(Sample.first) }?.blockingFunctions.isUnset == true)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `deleting a project deletes all its rows and no others`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      try await store.write { transaction in
        for project in [first, second] {
          try fill(project, transaction)
        }
        try transaction.deleteProject(first)
      }
      let (gone, kept) = try await store.read { transaction in
        (try count(first, transaction), try count(second, transaction))
      }
      #expect(gone == [0, 0, 0, 0, 0, 0, 0])
      #expect(kept == [1, 1, 1, 1, 1, 1, 1])
      // A new project with the same id is empty.
      let revived = try await store.write { transaction in
        try transaction.save(Sample.project("first-project"))
        return (try count(first, transaction), try transaction.spend(Sample.token(1), in: first))
      }
      #expect(revived.0 == [1, 0, 0, 0, 0, 0, 0])
      #expect(revived.1)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an API key belongs to one project and is unique`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let first = try Sample.first
      let key = APIKey(text: "AIzaExample", project: first, displayName: "iOS")
      try await store.write { transaction in
        try transaction.insert(key)
        try transaction.insert(APIKey(text: "AIzaAnother", project: Sample.second))
      }
      await #expect(throws: StoreError.conflict(.apiKey)) {
        try await store.write {
          try $0.insert(APIKey(text: "AIzaExample", project: try Sample.second))
        }
      }
      let (found, other, listed) = try await store.read { transaction in
        (
          try transaction.apiKey("AIzaExample"), try transaction.apiKey("aizaexample"),
          try transaction.apiKeys(of: first).map(\.text)
        )
      }
      #expect(contents(found) == contents(Optional(key)))
      #expect(other == nil)
      #expect(listed == ["AIzaExample"])
    }
  }
}

/// One row of every kind that belongs to a project.
private func fill(_ project: ProjectID, _ transaction: Transaction) throws {
  try transaction.save(Sample.fullAccount("alice"), in: project)
  try transaction.insert(Sample.session(1, of: "alice"), in: project)
  _ = try transaction.spend(Sample.token(1), in: project)
  try transaction.recordDetachment(
    of: .google, subject: Sample.subject("gone"), in: project, at: Sample.now,
    keptUntil: Sample.now)
  try transaction.insert(APIKey(text: "key of \(project.text)", project: project))
  try transaction.save(
    ProviderConfiguration(id: .google, clientID: "client", trustEmail: .never), in: project)
  try transaction.insert(
    AdminKeyRecord(
      prefix: project.text, digest: Array(project.text.utf8), project: project,
      createdAt: Sample.now, expiresAt: nil))
}

/// How many rows of each kind a project has.
private func count(_ project: ProjectID, _ transaction: Transaction) throws -> [Int] {
  [
    try transaction.project(project) == nil ? 0 : 1,
    try transaction.accounts(after: nil, limit: 10, in: project).count,
    try transaction.session(Sample.session(1, of: "alice").id, in: project) == nil ? 0 : 1,
    try transaction.detachment(of: .google, subject: Sample.subject("gone"), in: project) == nil
      ? 0 : 1,
    try transaction.apiKeys(of: project).count,
    try transaction.providers(in: project).count,
    try transaction.adminKeys().filter { $0.project == project }.count,
  ]
}
