#if canImport(Security)
  public import Foundation
  import Security
  import GatehouseProtocol

  /// Keeps sessions in the keychain, each key as a generic password that stays on this device.
  ///
  /// The items can be read after the user has unlocked the device for the first time since it
  /// started. Before that, every call throws `locked`. As long as the device is locked, a call also throws `locked`
  /// if there seems to be no item: systems then hide items that exist. This signs no user out; call again
  /// later. Other errors are `unreadable` and `unwritable`, with the system's status code.
  ///
  /// With an access group, each change is also announced to the other processes (a Darwin notification), whose clients
  /// then read the item again.
  ///
  /// A Mac app without the capability Keychain Sharing may not use this keychain. Its items without an access
  /// group are then kept in a ``FileStore`` in Application Support, and a line in the log says so. With an access
  /// group, every call throws `unreadable` or `unwritable`.
  ///
  /// During `update` no other thread of this process changes the item. Another process with the same
  /// access group, such as an app extension, can change it between reading and writing. `update` notices
  /// this and begins again, so that a sign-out in one process isn't undone by a refresh in another one.
  ///
  /// If no access group is given, the name of an item contains the project and the app, so that one
  /// app can't remove the items of another app. The system stores such an item in the first group of
  /// the app's entitlement, and several apps of a team may have that group.
  ///
  /// The first use after an installation writes a file (on tvOS, an entry of the user defaults), see
  /// ``Reinstallation/startSignedOut``. If it can't be written, such as on a full disk, reading returns nil, and writing throws the file's
  /// fault: the next launch would forget what was written.
  ///
  /// Each call blocks for some milliseconds, until the keychain's process has responded.
  public struct KeychainStore: SessionStore {
    private let service: String
    private let accessGroup: String?
    private let installation: Installation?
    private let fallback: KeychainFallback?

    /// Allows one call at a time within the process.
    private static let turn = Locked(0)

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
      let application =
        Bundle.main.bundleIdentifier ?? configuration.bundleID
        ?? ProcessInfo.processInfo.processName
      #if os(macOS)
        let fallback = FileStore(
          directory: FileStore.applicationSupport
            .appendingPathComponent(application, isDirectory: true))
      #else
        let fallback: FileStore? = nil
      #endif
      self.init(
        service: Self.service(of: configuration), application: application,
        accessGroup: accessGroup, reinstallation: reinstallation, marker: Self.marker,
        fallback: fallback)
    }

    #if os(tvOS)
      // An app on a device can't write files that last.
      private static var marker: DefaultsStore { DefaultsStore() }
    #else
      private static var marker: FileStore {
        FileStore(
          directory: FileStore.applicationSupport
            .appendingPathComponent("gatehouse", isDirectory: true))
      }
    #endif

    /// - Parameters:
    ///   - application: The app's bundle identifier.
    ///   - marker: A store that is removed with the app.
    ///   - fallback: The store if the app may not use the keychain; nil for none.
    package init(
      service: String, application: String, accessGroup: String?, reinstallation: Reinstallation,
      marker: any SessionStore, fallback: (any SessionStore)? = nil
    ) {
      // A query without a group finds the items of every group, so items of a group have another
      // service name.
      self.service = accessGroup.map { "\(service) in \($0)" } ?? "\(service) of \(application)"
      self.accessGroup = accessGroup
      // Other apps use the items of a group, so an installation of this app must not remove them.
      installation =
        reinstallation == .startSignedOut && accessGroup == nil
        ? Installation(service: service, marker: marker) : nil
      self.fallback = accessGroup == nil ? fallback.map(KeychainFallback.init) : nil
    }

    public func read(_ key: String) throws(StoreFault) -> Data? {
      try StoreLimits.check(key)
      if let other = fallback?.store(for: service) { return try other.read(key) }
      return try Self.turn.withLock { _ throws(StoreFault) -> Data? in
        // Nothing was written since everything was forgotten.
        if try begin() != nil { return nil }
        return try item(key).read()
      }
    }

    /// Replaces also an item that can't be read.
    public func write(_ data: Data, for key: String) throws(StoreFault) {
      try StoreLimits.check(key)
      try StoreLimits.check(data)
      if let other = fallback?.store(for: service) { return try other.write(data, for: key) }
      try Self.turn.withLock { _ throws(StoreFault) in
        if let fault = try begin() { throw fault }
        try item(key).write(data)
      }
      announce()
    }

    public func remove(_ key: String) throws(StoreFault) {
      try StoreLimits.check(key)
      if let other = fallback?.store(for: service) { return try other.remove(key) }
      try Self.turn.withLock { _ throws(StoreFault) in
        if try begin() != nil { return }
        try item(key).remove()
      }
      announce()
    }

    public func update(
      _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
    ) throws(StoreFault) -> Data? {
      try StoreLimits.check(key)
      if let other = fallback?.store(for: service) { return try other.update(key, change) }
      let (before, after) = try Self.turn.withLock { _ throws(StoreFault) -> (Data?, Data?) in
        if let fault = try begin() { throw fault }
        for _ in 0..<Self.maximumAttempts {
          let before = try item(key).find()
          let after = try change(before?.data)
          if try replace(before, with: after, for: key) { return (before?.data, after) }
        }
        throw StoreFault(
          .unwritable, detail: "Another process changes the keychain's item all the time")
      }
      if before != after { announce() }
      return after
    }

    /// Tells the other processes that share the items about a change.
    private func announce() {
      if accessGroup != nil { changes.post() }
    }

    fileprivate var changes: DarwinNotification { DarwinNotification(name: "\(service) changed") }

    /// Another process changes the item at most a few times in a row: at a refresh, a sign-in or a sign-out.
    private static let maximumAttempts = 100

    /// - Returns: False if another process changed the item after it was read. Then nothing is written.
    private func replace(
      _ before: KeychainItem.Found?, with after: Data?, for key: String
    ) throws(StoreFault) -> Bool {
      let item = item(key)
      if let after {
        try StoreLimits.check(after)
        // Written even if nothing changed, so that the caller learns whether the keychain can be
        // written.
        return if let before {
          try item.replace(before, with: after)
        } else {
          try item.create(after)
        }
      }
      guard let before else { return true }
      try item.remove(before)
      // Another process has written a newer value.
      return try item.find() == nil
    }

    /// The project's name, or the API key if no project is configured. It doesn't contain the
    /// server's URL, so an operator can move the server without signing users out.
    static func service(of configuration: ClientConfiguration) -> String {
      "gatehouse \(configuration.projectID ?? configuration.apiKey)"
    }

    private func item(_ key: String) -> KeychainItem {
      KeychainItem(service: service, account: key, accessGroup: accessGroup)
    }

    /// Call it while holding `turn`.
    ///
    /// - Returns: Why the start of a new installation couldn't be recorded. Then the keychain has no
    ///   items, and none may be written.
    private func begin() throws(StoreFault) -> StoreFault? {
      let access = KeychainItem.Access(service: service, accessGroup: nil)
      return try installation?.begin(
        unlocked: { () throws(StoreFault) in try access.check() },
        forgetting: { () throws(StoreFault) in
          try KeychainItem.removeAll(service: service, accessGroup: nil)
        })
    }
  }

  extension KeychainStore: SharedSessionStore {
    package func observeChanges(
      _ changed: @escaping @Sendable () -> Void
    ) -> (@Sendable () -> Void)? {
      accessGroup == nil ? nil : changes.observe(changed)
    }
  }
#endif
