#if canImport(Security)
  import Foundation

  /// Items of versions of this SDK before 0.1, whose names contain only the project.
  ///
  /// Each item is moved once. If it is in a group that other apps use as well, it is copied and
  /// stays there for them: only items in the app's own group are removed.
  struct EarlierItems: Sendable {
    private let service: String
    private let application: String
    private let marker: any SessionStore

    init(service: String, application: String, marker: any SessionStore) {
      self.service = service
      self.application = application
      self.marker = marker
    }

    /// Moves an item.
    ///
    /// - Returns: Nil if there is no item, or if it was moved or forgotten before.
    func take(_ key: String, into item: KeychainItem) throws(StoreFault) -> Data? {
      guard try marker.read(allMark) == nil, try marker.read(mark(key)) == nil,
        let data = try earlier(key).read()
      else { return nil }
      try item.write(data)
      // If the mark can't be written, the item is found under its new name nevertheless, and removing
      // it forgets this one.
      try? forget(key)
      return data
    }

    /// Prevents the item from being moved later.
    ///
    /// An item of the app's own group is removed, so this works on a full disk, too.
    ///
    /// - Throws: ``StoreFault`` if the item is in a group of several apps and no mark can be written, or if the
    ///   keychain fails.
    func forget(_ key: String) throws(StoreFault) {
      guard try marker.read(allMark) == nil, try marker.read(mark(key)) == nil else { return }
      if let group = try earlier(key).group() {
        // The app's own group is named after the app: TEAM123456.com.example.app.
        guard group.hasSuffix(".\(application)") else {
          return try marker.write(Data(), for: mark(key))
        }
        try KeychainItem(service: service, account: key, accessGroup: group).remove()
      }
      // Nothing is left to move. The mark only saves later look-ups.
      try? marker.write(Data(), for: mark(key))
    }

    /// Called for a new installation, which takes over no items.
    func forgetAll() throws(StoreFault) { try marker.write(Data(), for: allMark) }

    private func earlier(_ key: String) -> KeychainItem {
      KeychainItem(service: service, account: key, accessGroup: nil)
    }

    private var allMark: String { "forgot \(service)" }
    private func mark(_ key: String) -> String { "moved \(service) \(key)" }
  }
#endif
