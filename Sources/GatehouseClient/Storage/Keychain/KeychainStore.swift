#if canImport(Security)
  public import Foundation
  import Security
  import Synchronization

  /// Keeps sessions in the keychain: a generic password for each key, on this device alone, readable
  /// once the device was unlocked after its start.
  ///
  /// Until then every call throws `locked`, and nobody is signed out by it: read again later. What
  /// isn't understood is `unreadable` or `unwritable`, with the system's number for it.
  ///
  /// `update` has no other thread of this process in between. An app and its extensions that share
  /// an access group can get in between; what the client keeps bears that, because the server takes a
  /// refresh token that another process has just used.
  ///
  /// Items are named for the app and its project. Two apps of one team may have a keychain group in
  /// common without knowing it, because an item that names no group goes into the first of the app's
  /// entitlement: what one of them forgets is then still there for the other. What an earlier version
  /// of this SDK kept under the project's name alone is moved at the first reading.
  ///
  /// The calls block until the keychain's own process has answered, some milliseconds.
  public struct KeychainStore: SessionStore {
    private let service: String
    private let accessGroup: String?
    private let installation: Installation?
    /// Nil for items of a group, whose names never held the app's.
    private let earlier: EarlierItems?

    /// One at a time within the process.
    private static let turn = Mutex(())

    /// - Parameters:
    ///   - configuration: The items are of its project: two of them don't meet.
    ///   - accessGroup: Shares the items with apps of the same group, such as
    ///     `TEAM123456.com.example.shared`. The app needs the entitlement.
    ///   - reinstallation: What becomes of items that an earlier installation left.
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
    ///   - marker: What an uninstallation removes.
    package init(
      service: String, application: String, accessGroup: String?, reinstallation: Reinstallation,
      marker: any SessionStore
    ) {
      // A query without a group finds every group's items: theirs have another service.
      self.service = accessGroup.map { "\(service) in \($0)" } ?? "\(service) of \(application)"
      self.accessGroup = accessGroup
      earlier =
        accessGroup == nil
        ? EarlierItems(service: service, application: application, marker: marker) : nil
      // Items of a group are other apps' too: no installation of this one may remove them.
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
          // Also where nothing changed: who asks is told whether it can be written.
          try item.write(after)
        } else if before != nil {
          try item.remove()
        }
        return after
      }
    }

    /// By the project, or the API key where none is named. Not by the server's URL: an operator may
    /// move the server, and nobody is to be signed out by that.
    static func service(of configuration: ClientConfiguration) -> String {
      "gatehouse \(configuration.projectID ?? configuration.apiKey)"
    }

    private func item(_ key: String) -> KeychainItem {
      KeychainItem(service: service, account: key, accessGroup: accessGroup)
    }

    /// Under the turn.
    private func find(_ key: String) throws(StoreFault) -> Data? {
      if let data = try item(key).read() { return data }
      return try earlier?.take(key, into: item(key))
    }

    /// Under the turn.
    private func begin() throws(StoreFault) {
      try installation?.begin { () throws(StoreFault) in
        try KeychainItem.removeAll(service: service, accessGroup: nil)
        try earlier?.forgetAll()
      }
    }
  }
#endif
