// The real keychain requires a signed app: this is the stand-in.
#if canImport(Security) && os(Linux)
  import Foundation
  import Security
  import Testing

  @testable import GatehouseClient

  /// Each test has its own ids, because the process has one keychain.
  @Suite struct FirebaseKeychainTests {
    private let app = FormerFirebaseApp(
      googleAppID: "1:2:ios:\(UUID().uuidString)", apiKey: UUID().uuidString,
      name: "app-\(UUID().uuidString)")

    private var service: String { "firebase_auth_\(app.googleAppID)" }
    private var user: String { "\(app.name ?? "")_firebase_user" }

    /// Adds an item as Google's SDK does.
    private func add(_ text: String, account: String, service: String?, group: String? = nil) {
      var item: [String: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
        kSecValueData: Data(text.utf8), kSecUseDataProtectionKeychain: true,
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      item[kSecAttrService] = service
      item[kSecAttrAccessGroup] = group
      #expect(unsafe SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }

    private func found() throws -> (text: String, rootKey: String)? {
      try FirebaseKeychain(app: app).find().map { item in
        (String(decoding: item.archive, as: UTF8.self), item.rootKey)
      }
    }

    @Test func `without Google's SDK there is nothing, and removing it is no error`() throws {
      #expect(try found() == nil)
      try FirebaseKeychain(app: app).remove()
    }

    @Test func `the item has the app's id at Google as its service`() throws {
      add("archive", account: "firebase_auth_1_\(user)", service: service)
      #expect(try found()?.text == "archive")
      #expect(try found()?.rootKey == user)
      try FirebaseKeychain(app: app).remove()
      #expect(try found() == nil)
    }

    @Test func `the item of an old version has no service`() throws {
      add("old archive", account: user, service: nil)
      #expect(try found()?.text == "old archive")
      #expect(try found()?.rootKey == user)
      try FirebaseKeychain(app: app).remove()
      #expect(try found() == nil)
    }

    @Test func `the item of an access group is found by the group's remembered name`() throws {
      let suite = "com.google.Firebase.Auth.\(service)"
      let defaults = try #require(UserDefaults(suiteName: suite))
      defer { defaults.removePersistentDomain(forName: suite) }
      add(
        "shared archive", account: "firebase_auth_firebase_user", service: app.apiKey,
        group: "TEAM123456.shared")
      #expect(try found() == nil)
      defaults.set("TEAM123456.shared", forKey: "firebase_auth_stored_user_access_group")
      #expect(try found()?.text == "shared archive")
      #expect(try found()?.rootKey == "firebase_auth_stored_user_coder_key")
      try FirebaseKeychain(app: app).remove()
      #expect(try found() == nil)
    }

    @Test func `an app that may not use the keychain has no item there`() throws {
      SimulatedKeychain[app.googleAppID].entitledGroups = []
      #expect(try found() == nil)
      try FirebaseKeychain(app: app).remove()
    }

    @Test(arguments: [SimulatedKeychain.Lock.refusing, .hiding])
    func `while the keychain is locked, it isn't known whether there is an item`(
      lock: SimulatedKeychain.Lock
    ) throws {
      SimulatedKeychain[app.googleAppID].lock = lock
      let fault = #expect(throws: StoreFault.self) { try found() }
      #expect(fault?.kind == .locked)
    }

    @Test func `another app's item isn't found`() throws {
      add("theirs", account: "firebase_auth_1_\(user)", service: "firebase_auth_1:2:ios:other")
      #expect(try found() == nil)
    }
  }
#endif
