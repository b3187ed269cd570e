#if canImport(Security)
  public import Foundation
  import Security
  import Synchronization

  /// Keeps sessions in the keychain: a generic password for each key, on this device only, readable
  /// once the device has been unlocked after its start.
  ///
  /// Until then every call throws `locked`, which signs no user out: read again later. Other errors
  /// are `unreadable` or `unwritable`, with the system's status code.
  ///
  /// During `update` no other thread of this process changes the item. An app and its extensions
  /// that share an access group can change it meanwhile. This does no harm to a session, because
  /// the server accepts a refresh token that another process has just used.
  ///
  /// Items are named after the app and its project. Two apps of one team may share a keychain group
  /// without knowing it, because an item without a group goes into the first group of the app's
  /// entitlement. With a name for each app, one app can't remove the other's items. Items that an
  /// earlier version of this SDK stored under the project's name alone are moved when they are
  /// first read.
  ///
  /// Calls block until the keychain's process has answered, some milliseconds.
  public struct KeychainStore: SessionStore {
    private let service: String
    private let accessGroup: String?
    private let installation: Installation?
    /// Nil for items of a group: their names never contained the app's.
    private let earlier: EarlierItems?

    /// Allows one call at a time within the process.
    private static let turn = Mutex(())

    /// - Parameters:
    ///   - configuration: Its project is part of the items' names, so that two projects don't share
    ///     items.
    ///   - accessGroup: Shares the items with apps of the same group, such as
    ///     `TEAM123456.com.example.shared`. The app needs the entitlement.
    ///   - reinstallation: What to do with items of an earlier installation.
    public init(
      configuration: ClientConfiguration, accessGroup: String? = nil,
      reinstallation: Reinstallation = .startSignedOut
    ) {
      self.init(
        service: Self.service(of: configuration),
        application: Bundle.main.bundleIdentifier ?? configuration.bundleID
          ?? ProcessInfo.processInfo.processName,
        accessGroup: accessGroup, reinstallation: reinstallation,
        marker: FileStore(
          directory: .applicationSupportDirectory.appending(
            path: "gatehouse", directoryHint: .isDirectory)))
    }

    /// - Parameters:
    ///   - application: The app's bundle identifier.
    ///   - marker: A store that is removed with the app.
    package init(
      service: String, application: String, accessGroup: String?, reinstallation: Reinstallation,
      marker: any SessionStore
    ) {
      // A query without a group finds the items of every group. Their service name is different.
      self.service = accessGroup.map { "\(service) in \($0)" } ?? "\(service) of \(application)"
      self.accessGroup = accessGroup
      earlier =
        accessGroup == nil
        ? EarlierItems(service: service, application: application, marker: marker) : nil
      // Other apps use the items of a group, so an installation of this app must not remove them.
      installation =
        reinstallation == .startSignedOut && accessGroup == nil
        ? Installation(service: service, marker: marker) : nil
    }

    public func read(_ key: String) throws(StoreFault) -> Data? {
      try StoreLimits.check(key)
      return try Self.turn.withLock { _ throws(StoreFault) in
        try begin()
        return try find(key)
      }
    }

    public func write(_ data: Data, for key: String) throws(StoreFault) {
      _ = try update(key) { _ in data }
    }

    public func remove(_ key: String) throws(StoreFault) {
      try StoreLimits.check(key)
      try Self.turn.withLock { _ throws(StoreFault) in
        try begin()
        try item(key).remove()
        try earlier?.forget(key)
      }
    }

    public func update(
      _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
    ) throws(StoreFault) -> Data? {
      try StoreLimits.check(key)
      return try Self.turn.withLock { _ throws(StoreFault) in
        try begin()
        let item = item(key)
        let before = try find(key)
        let after = try change(before)
        if let after {
          try StoreLimits.check(after)
          // Written even if nothing changed, so that the caller learns whether the keychain can be
          // written.
          try item.write(after)
        } else if before != nil {
          try item.remove()
        }
        return after
      }
    }

    /// Named after the project, or after the API key if no project is configured. The server's URL
    /// isn't part of it: an operator may move the server without signing users out.
    static func service(of configuration: ClientConfiguration) -> String {
      "gatehouse \(configuration.projectID ?? configuration.apiKey)"
    }

    private func item(_ key: String) -> KeychainItem {
      KeychainItem(service: service, account: key, accessGroup: accessGroup)
    }

    /// Call it while holding `turn`.
    private func find(_ key: String) throws(StoreFault) -> Data? {
      if let data = try item(key).read() { return data }
      return try earlier?.take(key, into: item(key))
    }

    /// Call it while holding `turn`.
    private func begin() throws(StoreFault) {
      try installation?.begin { () throws(StoreFault) in
        try KeychainItem.removeAll(service: service, accessGroup: nil)
        try earlier?.forgetAll()
      }
    }
  }
#endif
