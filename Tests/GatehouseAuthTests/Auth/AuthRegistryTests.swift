import GatehouseAuth
import GatehouseCore
import Foundation
import GatehouseClient
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthRegistryTests {
  @Test func `an app has one Auth, which refers to it`() throws {
    let test = try TestApp()
    #expect(Auth.auth(app: test.app) === test.auth)
    #expect(test.auth.app === test.app)
  }

  @Test func `two apps of one project don't share a signed-in user`() async throws {
    let store = MemoryStore()
    let one = try TestApp(store: store)
    let other = try TestApp(store: store)
    _ = try await one.signedIn()
    #expect(one.auth !== other.auth)
    #expect(other.auth.currentUser == nil)
  }

  @Test
  func
    `an Auth is released when its app is deleted, and the next app of that name reads the store`()
    async throws
  {
    let store = MemoryStore()
    let name = "again-\(UInt64.random(in: 0...UInt64.max))"
    let first = try TestApp(store: store, name: name)
    let uid = try await first.signedIn().uid
    #expect(await first.app.delete())
    let second = try TestApp(store: store, name: name)
    #expect(second.auth !== first.auth)
    #expect(second.auth.currentUser?.uid == uid)
    #expect(second.server.paths == [], "a launch sends no request")
  }

  @Test func `an app without a server address fails every call with the reason`() async throws {
    let test = try TestApp(serverURL: nil)
    #expect(test.auth.currentUser == nil)
    let error = await authError { try await test.auth.signInAnonymously() }
    #expect(error?.authCode == .networkError)
    let cause = error?.userInfo["NSUnderlyingError"] as? NSError
    #expect(cause?.localizedDescription.contains("GATEHOUSE_URL") == true)
  }
}
