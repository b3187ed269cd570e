import GatehouseCore
import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite("FirebaseApp") struct FirebaseAppTests {
  @Test func `is found by its name`() throws {
    let app = try makeApp()
    #expect(FirebaseApp.app(name: app.name) === app)
    #expect(FirebaseApp.allApps?[app.name] === app)
    #expect(FirebaseApp.app(name: "of-nobody") == nil)
  }

  @Test func `a name that is taken is refused`() throws {
    let app = try makeApp()
    #expect(throws: ConfigurationFault("The app \(app.name) is configured already.")) {
      try makeApp(name: app.name)
    }
    #expect(FirebaseApp.app(name: app.name) === app)
  }

  @Test(arguments: ["", "with space", "caf\u{e9}", "a/b", "a.b"])
  func `a name with other characters is refused`(_ name: String) {
    #expect(throws: ConfigurationFault.self) { try makeApp(name: name) }
    #expect(FirebaseApp.app(name: name) == nil)
  }

  @Test func `options without googleAppID are refused`() {
    #expect(throws: ConfigurationFault("The options have no googleAppID.")) {
      try makeApp { $0.googleAppID = "" }
    }
  }

  @Test func `keeps a copy of its options`() throws {
    let app = try makeApp()
    app.options.apiKey = "another"
    #expect(app.options.apiKey == "key-of-a-test")
    #expect(app.options == app.options)
  }

  @Test func `collects nothing, and keeps what is set`() throws {
    let app = try makeApp()
    #expect(app.isDataCollectionDefaultEnabled)
    app.isDataCollectionDefaultEnabled = false
    #expect(!app.isDataCollectionDefaultEnabled)
  }

  @Test func `deletion frees its name, and is reported once`() async throws {
    let app = try makeApp()
    let calls = Locked(0)
    app.onDeletion { calls.withLock { $0 += 1 } }
    #expect(await app.delete())
    #expect(FirebaseApp.app(name: app.name) == nil)
    #expect(calls.withLock { $0 } == 1)

    let next = try makeApp(name: app.name)
    #expect(!(await app.delete()))
    #expect(FirebaseApp.app(name: app.name) === next)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `the completion handler is called before delete returns`() throws {
    let app = try makeApp()
    let answers = Locked<[Bool]>([])
    app.delete { deleted in answers.withLock { $0.append(deleted) } }
    app.delete { deleted in answers.withLock { $0.append(deleted) } }
    #expect(answers.withLock { $0 } == [true, false])
  }

  @Test func `an action that is added after the deletion runs immediately`() async throws {
    let app = try makeApp()
    await app.delete()
    let calls = Locked(0)
    app.onDeletion { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `one of many concurrent calls to configure one name succeeds`() async {
    let name = "race-\(UUID().uuidString)"
    let successes = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { (try? makeApp(name: name)) != nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(successes == 1)
  }

  @Test func `one of many concurrent deletions succeeds`() async throws {
    let app = try makeApp()
    let calls = Locked(0)
    app.onDeletion { calls.withLock { $0 += 1 } }
    let deletions = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { await app.delete() } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(deletions == 1)
    #expect(calls.withLock { $0 } == 1)
  }
}
