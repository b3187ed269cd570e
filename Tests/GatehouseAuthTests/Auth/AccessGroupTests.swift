#if canImport(Security) && os(Linux)
  import Foundation
  import GatehouseAuth
  import GatehouseClient
  import Security
  import Testing

  /// A session that an app shares with other apps and with its extensions.
  @Suite struct AccessGroupTests {
    private let group = "TEAM.\(UUID().uuidString)"

    /// Afterwards the user defaults name no group.
    private func withApp(
      store: any SessionStore = MemoryStore(), _ body: (TestApp) async throws -> Void
    ) async throws {
      let test = try TestApp(store: store)
      try await body(test)
      try test.auth.useUserAccessGroup(nil)
    }

    @Test func `the user moves into the group, without a request`() async throws {
      try await withApp { test in
        let user = try await test.signedIn()
        let sent = test.server.calls.count
        try test.auth.useUserAccessGroup(group)
        #expect(test.auth.currentUser?.uid == user.uid)
        #expect(test.auth.userAccessGroup == group)
        // As Google's guide does it.
        try await test.auth.updateCurrentUser(user)
        #expect(test.server.calls.count == sent)
        #expect(try test.auth.getStoredUser(forAccessGroup: group)?.uid == user.uid)
        #expect(try test.auth.getStoredUser(forAccessGroup: nil) == nil)
      }
    }

    @Test func `the user of the group stays, and the app's own session is removed`() async throws {
      let (name, uid) = try await signedInToGroup()
      let test = try TestApp(name: name)
      _ = try await test.signedIn("second@example.com")
      try test.auth.useUserAccessGroup(group)
      #expect(test.auth.currentUser?.uid == uid)
      #expect(try test.auth.getStoredUser(forAccessGroup: nil) == nil)
      try test.auth.useUserAccessGroup(nil)
    }

    @Test func `without the group, no user is signed in, and the group's session stays`()
      async throws
    {
      try await withApp { test in
        let user = try await test.signedIn()
        try test.auth.useUserAccessGroup(group)
        try test.auth.useUserAccessGroup(nil)
        #expect(test.auth.currentUser == nil)
        #expect(test.auth.userAccessGroup == nil)
        #expect(try test.auth.getStoredUser(forAccessGroup: group)?.uid == user.uid)
      }
    }

    @Test func `the next launch uses the group`() async throws {
      let test = try TestApp()
      let uid = try await test.signedIn().uid
      try test.auth.useUserAccessGroup(group)
      await test.app.delete()
      let later = try TestApp(name: test.app.name)
      #expect(later.auth.userAccessGroup == group)
      #expect(later.auth.currentUser?.uid == uid)
      try later.auth.useUserAccessGroup(nil)
    }

    @Test func `a group that the app isn't entitled to is refused, and nothing changes`()
      async throws
    {
      let test = try TestApp()
      SimulatedKeychain[group].entitledGroups = ["TEAM.other"]
      for signsIn in [false, true] {
        let user = signsIn ? try await test.signedIn() : nil
        let error = await authError { try test.auth.useUserAccessGroup(group) }
        #expect(error?.authCode == .keychainError)
        #expect(test.auth.userAccessGroup == nil)
        #expect(test.auth.currentUser === user)
      }
    }

    @Test func `a group that is locked at a launch is used when the device is unlocked`()
      async throws
    {
      let (name, uid) = try await signedInToGroup()
      let notifications = NotificationCenter()
      let own = LockedStore(MemoryStore())
      let test = try TestApp(store: own, name: name, notifications: notifications)
      SimulatedKeychain[group].lock = .hiding
      let heard = Heard<String>()
      _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
      let error = await authError { try test.auth.useUserAccessGroup(group) }
      #expect(error?.authCode == .keychainError)
      #expect(test.auth.currentUser == nil)
      SimulatedKeychain[group].lock = .unlocked
      own.unlock()
      notifications.post(
        name: NSNotification.Name("UIApplicationProtectedDataDidBecomeAvailable"), object: nil)
      #expect(await eventually { test.auth.userAccessGroup == group })
      #expect(test.auth.currentUser?.uid == uid)
      await TestApp.mainQueueIsEmpty()
      #expect(heard.all == [uid])
      try test.auth.useUserAccessGroup(nil)
    }

    /// An app whose user is signed in in the group, and whose user defaults don't say so, as before the first
    /// unlock of the device.
    private func signedInToGroup() async throws -> (app: String, uid: String) {
      let test = try TestApp()
      let uid = try await test.signedIn("first@example.com").uid
      try test.auth.useUserAccessGroup(group)
      try test.auth.useUserAccessGroup(nil)
      await test.app.delete()
      return (test.app.name, uid)
    }
  }
#endif
