#if canImport(Security)
  import Foundation
  import Security

  /// A generic password in the keychain.
  ///
  /// While the device is locked, iOS may answer `errSecItemNotFound` for an item that exists: in an app that
  /// the system launched early, and before the first unlock (firebase-ios-sdk#16498). So this answer is
  /// believed only if ``Access`` shows that the keychain is open.
  struct KeychainItem {
    let service: String
    let account: String
    let accessGroup: String?

    /// An item as it was read.
    struct Found {
      let data: Data
      /// A new random value with each write.
      let version: Data
    }

    func read() throws(StoreFault) -> Data? { try find()?.data }

    func find() throws(StoreFault) -> Found? {
      guard let item = try attributes() else { return nil }
      guard let data = item[kSecValueData as String] as? Data,
        let version = item[kSecAttrGeneric as String] as? Data
      else {
        throw StoreFault(.unreadable, detail: "The keychain's answer contains no data")
      }
      return Found(data: data, version: version)
    }

    /// - Returns: Nil if there certainly is no item.
    private func attributes() throws(StoreFault) -> [String: Any]? {
      var query = query
      query[kSecReturnData as String] = true
      query[kSecReturnAttributes as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess: return found as? [String: Any] ?? [:]
      case errSecItemNotFound:
        try access.check()
        return nil
      default: throw Self.fault(status, else: .unreadable)
      }
    }

    /// Updates the item, or creates it if it doesn't exist or was removed meanwhile.
    func write(_ data: Data) throws(StoreFault) {
      if try Self.update(query, to: data) { return }
      if try create(data) { return }
      // Another process created it first, or it exists and isn't shown.
      guard try Self.update(query, to: data) else {
        try access.check()
        throw Self.fault(errSecItemNotFound, else: .unwritable)
      }
    }

    /// Updates the item unless it was changed or removed since it was read.
    ///
    /// - Returns: False if it was, or isn't shown. Then nothing is written.
    func replace(_ before: Found, with data: Data) throws(StoreFault) -> Bool {
      try Self.update(query(before), to: data)
    }

    /// - Returns: False if there is no such item. Then nothing is written.
    private static func update(
      _ query: [String: Any], to data: Data
    ) throws(StoreFault) -> Bool {
      let status = SecItemUpdate(query as CFDictionary, values(data) as CFDictionary)
      if status == errSecItemNotFound { return false }
      guard status == errSecSuccess else { throw fault(status, else: .unwritable) }
      return true
    }

    /// Creates the item.
    ///
    /// - Returns: False if there is one. Then nothing is written.
    func create(_ data: Data) throws(StoreFault) -> Bool {
      let item = query.merging(Self.values(data)) { _, value in value }
      let status = unsafe SecItemAdd(item as CFDictionary, nil)
      if status == errSecDuplicateItem { return false }
      guard status == errSecSuccess else { throw Self.fault(status, else: .unwritable) }
      return true
    }

    /// Removes the item unless it was changed since it was read.
    ///
    /// Whether it was has to be asked with ``find()``.
    func remove(_ before: Found) throws(StoreFault) { _ = try Self.remove(query(before)) }

    func remove() throws(StoreFault) {
      if try !Self.remove(query) { try access.check() }
    }

    /// Removes all items of the service that the keychain shows.
    static func removeAll(service: String, accessGroup: String?) throws(StoreFault) {
      _ = try remove(query(service: service, accessGroup: accessGroup))
    }

    /// - Returns: False if there is no such item.
    private static func remove(_ query: [String: Any]) throws(StoreFault) -> Bool {
      let status = SecItemDelete(query as CFDictionary)
      if status == errSecItemNotFound { return false }
      guard status == errSecSuccess else { throw fault(status, else: .unwritable) }
      return true
    }

    private static func values(_ data: Data) -> [String: Any] {
      [
        kSecValueData as String: data,
        kSecAttrGeneric as String: Data(UUID().uuidString.utf8),
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
    }

    /// Finds the item only in the version that was read.
    private func query(_ before: Found) -> [String: Any] {
      var query = query
      query[kSecAttrGeneric as String] = before.version
      return query
    }

    private var access: Access { Access(service: service, accessGroup: accessGroup) }

    private var query: [String: Any] {
      var query = Self.query(service: service, accessGroup: accessGroup)
      query[kSecAttrAccount as String] = account
      return query
    }

    fileprivate static func query(service: String, accessGroup: String?) -> [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        // Selects the keychain on macOS that works as on iOS; on other platforms it has no effect.
        kSecUseDataProtectionKeychain as String: true,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    static func fault(_ status: OSStatus, else kind: StoreFault.Kind) -> StoreFault {
      switch status {
      case errSecInteractionNotAllowed: StoreFault(.locked, detail: "The device is locked")
      case errSecMissingEntitlement:
        StoreFault(
          kind,
          detail: "The keychain answered \(status): the app's entitlements don't"
            + " allow it. Add the capability Keychain Sharing, with the access group if there is one"
        )
      default: StoreFault(kind, detail: "The keychain answered \(status)")
      }
    }
  }

  extension KeychainItem {
    /// Whether the keychain shows the items that it has.
    ///
    /// Adds an item that only an unlocked device can encrypt, and removes it. So a device whose screen is
    /// locked counts as locked, although the items of this store could be read.
    struct Access {
      let service: String
      let accessGroup: String?

      /// Whether the app isn't entitled to use the data protection keychain at all.
      var isRefused: Bool {
        let query = KeychainItem.query(service: service, accessGroup: accessGroup)
        return unsafe SecItemCopyMatching(query as CFDictionary, nil) == errSecMissingEntitlement
      }

      /// - Throws: `locked`, or `unreadable` if the app isn't entitled to the access group. Any other error
      ///   of the added item, such as that of a full disk, doesn't hide items.
      func check() throws(StoreFault) {
        var item = KeychainItem.query(service: service, accessGroup: accessGroup)
        item[kSecAttrAccount as String] = "gatehouse unlocked"
        let query = item
        item[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        item[kSecValueData as String] = Data([0])
        let status = unsafe SecItemAdd(item as CFDictionary, nil)
        switch status {
        case errSecSuccess: _ = SecItemDelete(query as CFDictionary)
        case errSecInteractionNotAllowed, errSecMissingEntitlement:
          throw KeychainItem.fault(status, else: .unreadable)
        default: break
        }
      }
    }
  }
#endif
