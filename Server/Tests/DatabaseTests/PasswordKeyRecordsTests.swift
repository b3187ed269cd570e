import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct PasswordKeyRecordsTests {
  private static func key(_ id: String, _ project: ProjectID) -> PasswordKey {
    PasswordKey(id: id, project: project, key: Secret([1, 2, 3]))
  }

  @Test(arguments: StoreFactory.all)
  func `a key is read by its id, and in its project's list`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (first, second) = (try Sample.first, try Sample.second)
      try await store.write { transaction in
        try transaction.save(Self.key("b", first))
        try transaction.save(Self.key("a", first))
        try transaction.save(Self.key("c", second))
      }
      let (found, none, list) = try await store.read { transaction in
        (
          try transaction.passwordKey("c"), try transaction.passwordKey("d"),
          try transaction.passwordKeys(of: first)
        )
      }
      #expect(found?.project == second)
      #expect(found?.key.reveal() == [1, 2, 3])
      #expect(none == nil)
      #expect(list.map(\.id) == ["a", "b"])
      // Deleting a project deletes its keys.
      try await store.write { try $0.deleteProject(first) }
      #expect(try await store.read { try $0.passwordKey("a") } == nil)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a key of an unknown project is a conflict`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let nobody = try #require(ProjectID("no-project"))
      await #expect(throws: StoreError.conflict(.project)) {
        try await store.write { try $0.save(Self.key("a", nobody)) }
      }
    }
  }
}
