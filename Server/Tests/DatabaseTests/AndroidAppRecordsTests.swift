import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AndroidAppRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `apps are read with every value, in the order of their names`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let (second, first) = (try app("com.example.b"), try app("com.example.a", name: "A"))
      let counter = try await store.changeCounter()
      try await store.write { transaction in
        for app in [second, first] { try transaction.save(app) }
      }
      let listed = try await store.read { try $0.androidApps(of: Sample.first) }
      #expect(listed == [first, second])
      #expect(try await store.read { try $0.androidApps(of: Sample.second) }.isEmpty)
      #expect(try await store.changeCounter() > counter)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `saving again replaces all but the creation time`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      try await store.write { try $0.save(app("com.example.a", name: "A")) }
      let later = AndroidApp(
        project: try Sample.first, packageName: "com.example.a", fingerprints: ["other"],
        createdAt: Sample.now.addingTimeInterval(60))
      try await store.write { try $0.save(later) }
      let found = try await store.read { try $0.androidApps(of: Sample.first) }
      #expect(found.map(\.fingerprints) == [["other"]])
      #expect(found.map(\.displayName) == [nil])
      #expect(found.map(\.createdAt) == [Sample.now])
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an app is deleted only in its project, and with its project`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      let elsewhere = try app("com.example.a", in: Sample.second)
      try await store.write { transaction in
        try transaction.save(app("com.example.a"))
        try transaction.save(elsewhere)
      }
      let answers = try await store.write { transaction in
        let first = try Sample.first
        return [
          try transaction.deleteAndroidApp("com.example.a", of: first),
          try transaction.deleteAndroidApp("com.example.a", of: first),
        ]
      }
      #expect(answers == [true, false])
      #expect(try await store.read { try $0.androidApps(of: Sample.second) } == [elsewhere])
      try await store.write { try $0.deleteProject(Sample.second) }
      #expect(try await store.read { try $0.androidApps(of: Sample.second) }.isEmpty)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `an app's team is stored, changed and removed`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let app = App(
        id: "1:1:ios:a", project: try Sample.first, bundleID: "com.example.a", apiKey: "key",
        createdAt: Sample.now, teamID: "TEAM123456")
      try await store.write { transaction in
        try transaction.insert(APIKey(text: app.apiKey, project: app.project))
        try transaction.insert(app)
      }
      #expect(try await store.read { try $0.app(app.id) } == app)
      for team in ["OTHER12345", nil] {
        let counter = try await store.changeCounter()
        var changed = app
        changed.teamID = team
        try await store.write { [changed] in try $0.update(changed) }
        #expect(try await store.read { try $0.app(app.id)?.teamID } == team)
        #expect(try await store.changeCounter() > counter)
      }
    }
  }

  private func app(
    _ packageName: String, name: String? = nil, in project: ProjectID? = nil
  ) throws -> AndroidApp {
    AndroidApp(
      project: try project ?? Sample.first, packageName: packageName, displayName: name,
      fingerprints: ["one", "two"], createdAt: Sample.now)
  }
}
