import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AppsTests {
  private static let bundleID = "com.example.app"

  @Test func `an app is created with an API key of its project`() async throws {
    try await withWorld { world in
      let app = try await Apps(ProjectDirectory(store: world.store))
        .add(bundleID: Self.bundleID, displayName: "App", to: world.project.id, now: world.now)
      #expect(app.id.wholeMatch(of: /1:[0-9]+:ios:[0-9a-f]{16}/) != nil, "\(app.id)")
      #expect(app.id.hasPrefix("1:\(world.project.number):"))
      let (stored, key) = try await world.store.read { transaction in
        (try transaction.app(app.id), try transaction.apiKey(app.apiKey))
      }
      #expect(stored?.bundleID == Self.bundleID)
      #expect(key?.project == world.project.id)
    }
  }

  @Test func `a bundle id is unique in a project, and the error names its app`() async throws {
    try await withWorld { world in
      let apps = Apps(ProjectDirectory(store: world.store))
      let other = try await world.otherProject()
      let app = try await apps.add(
        bundleID: Self.bundleID, displayName: nil, to: world.project.id, now: world.now)
      await #expect(throws: Apps.Refusal.taken(appID: app.id)) {
        try await apps.add(
          bundleID: Self.bundleID, displayName: nil, to: world.project.id, now: world.now)
      }
      let keys = try await world.store.read { try $0.apiKeys(of: world.project.id) }
      #expect(keys.filter { $0.displayName == Self.bundleID }.count == 1)
      let elsewhere = try await apps.add(
        bundleID: Self.bundleID, displayName: nil, to: other.id, now: world.now)
      #expect(elsewhere.id != app.id)
    }
  }

  @Test func `an app of an unknown project is refused`() async throws {
    try await withWorld { world in
      let unknown = try #require(ProjectID("nobody-s"))
      await #expect(throws: Apps.Refusal.unknownProject) {
        try await Apps(ProjectDirectory(store: world.store))
          .add(bundleID: Self.bundleID, displayName: nil, to: unknown, now: world.now)
      }
    }
  }

  @Test func `an app's key is deleted only with the app`() async throws {
    try await withWorld { world in
      let apps = Apps(ProjectDirectory(store: world.store))
      let app = try await apps.add(
        bundleID: Self.bundleID, displayName: nil, to: world.project.id, now: world.now)
      await #expect(throws: Apps.Refusal.keyOfApp(appID: app.id)) {
        try await apps.deleteKey(app.apiKey, of: world.project.id)
      }
      #expect(try await apps.delete(app.id, of: world.project.id))
      #expect(try await !apps.delete(app.id, of: world.project.id))
      #expect(try await world.store.read { try $0.apiKey(app.apiKey) }?.text == nil)
    }
  }

  @Test func `a key is deleted only in its own project`() async throws {
    try await withWorld { world in
      let apps = Apps(ProjectDirectory(store: world.store))
      let other = try await world.otherProject()
      let key = try await apps.createKey(for: world.project.id, displayName: nil)
      #expect(try await !apps.deleteKey(key.text, of: other.id))
      #expect(try await apps.deleteKey(key.text, of: world.project.id))
      #expect(try await !apps.deleteKey(key.text, of: world.project.id))
    }
  }

  @Test(arguments: [
    ("com.example.app", true), ("com.example.App-2", true), ("example", false), ("", false),
    ("com..app", false), (".com.app", false), ("com.app.", false), ("com.ex_ample", false),
    ("com.exämple", false), ("com.example/app", false),
    ("com." + String(repeating: "a", count: 151), true),
    ("com." + String(repeating: "a", count: 152), false),
  ])
  func `a bundle id has Apple's form`(_ text: String, _ isOne: Bool) {
    #expect(App.isBundleID(text) == isOne)
  }
}
