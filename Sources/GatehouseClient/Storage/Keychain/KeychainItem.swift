#if canImport(Security)
  import Foundation
  import Security

  /// A generic password in the keychain.
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

    /// - Returns: Nil if there is no item.
    private func attributes() throws(StoreFault) -> [String: Any]? {
      var query = query
      query[kSecReturnData as String] = true
      query[kSecReturnAttributes as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess: return found as? [String: Any] ?? [:]
      case errSecItemNotFound: return nil
      default: throw Self.fault(status, else: .unreadable)
      }
    }

    /// Updates the item, or creates it if it doesn't exist or was removed meanwhile.
    func write(_ data: Data) throws(StoreFault) {
      if try Self.update(query, to: data) { return }
      if try create(data) { return }
      // Another process created it first.
      guard try Self.update(query, to: data) else {
        throw Self.fault(errSecItemNotFound, else: .unwritable)
      }
    }

    /// Updates the item unless it was changed or removed since it was read.
    ///
    /// - Returns: False if it was. Then nothing is written.
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
    func remove(_ before: Found) throws(StoreFault) { try Self.remove(query(before)) }

    func remove() throws(StoreFault) { try Self.remove(query) }

    /// Removes all items of the service.
    static func removeAll(service: String, accessGroup: String?) throws(StoreFault) {
      try remove(query(service: service, accessGroup: accessGroup))
    }

    private static func remove(_ query: [String: Any]) throws(StoreFault) {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw fault(status, else: .unwritable)
      }
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

    private var query: [String: Any] {
      var query = Self.query(service: service, accessGroup: accessGroup)
      query[kSecAttrAccount as String] = account
      return query
    }

    private static func query(service: String, accessGroup: String?) -> [String: Any] {
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
      status == errSecInteractionNotAllowed
        ? StoreFault(.locked, detail: "The device hasn't been unlocked since its start")
        : StoreFault(kind, detail: "The keychain answered \(status)")
    }
  }
#endif
