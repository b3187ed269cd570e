import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AppRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `apps are read with every value, in the order of their bundle ids`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (second, first) = (try app("com.example.b"), try app("com.example.a", name: "A"))
      try await store.write { transaction in
        for app in [second, first] { try add(app, transaction) }
      }
      let (found, missing, listed, others) = try await store.read { transaction in
        (
          try transaction.app(first.id), try transaction.app(first.id.uppercased()),
          try transaction.apps(of: Sample.first), try transaction.apps(of: Sample.second)
        )
      }
      #expect(found == first)
      #expect(missing == nil)
      #expect(listed == [first, second])
      #expect(others.isEmpty)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a project has one app per bundle id, and another project may have one too`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let app = try app("com.example.app")
      try await store.write { try add(app, $0) }
      let again = try self.app("com.example.app", number: 2)
      await #expect(throws: StoreError.conflict(.other)) {
        try await store.write { try add(again, $0) }
      }
      let elsewhere = try self.app("com.example.app", number: 3, in: Sample.second)
      try await store.write { try add(elsewhere, $0) }
      #expect(try await store.read { try $0.apps(of: Sample.second) } == [elsewhere])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an app's key is deleted after its app, and both with the project`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (one, two) = (try app("com.example.a"), try app("com.example.b"))
      try await store.write { transaction in
        for app in [one, two] { try add(app, transaction) }
      }
      await #expect(throws: StoreError.conflict(.other)) {
        try await store.write { try $0.deleteAPIKey(one.apiKey) }
      }
      let answers = try await store.write { transaction in
        try transaction.delete(one)
        return [
          try transaction.deleteAPIKey(one.apiKey), try transaction.deleteAPIKey(one.apiKey),
        ]
      }
      #expect(answers == [true, false])
      let left = try await store.write { transaction in
        try transaction.deleteProject(Sample.first)
        return (try transaction.app(two.id), try transaction.apiKey(two.apiKey)?.text)
      }
      #expect(left.0 == nil)
      #expect(left.1 == nil)
    }
  }

  private func app(
    _ bundleID: String, name: String? = nil, number: Int = 1, in project: ProjectID? = nil
  ) throws -> App {
    App(
      id: "1:\(number):ios:\(bundleID)", project: try project ?? Sample.first, bundleID: bundleID,
      displayName: name, apiKey: "key \(number) of \(bundleID)", createdAt: Sample.now)
  }

  private func add(_ app: App, _ transaction: Transaction) throws {
    try transaction.insert(APIKey(text: app.apiKey, project: app.project))
    try transaction.insert(app)
  }
}
