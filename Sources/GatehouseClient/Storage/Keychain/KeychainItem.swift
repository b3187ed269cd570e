#if canImport(Security)
  import Foundation
  import Security

  /// A generic password in the keychain.
  struct KeychainItem {
    let service: String
    let account: String
    let accessGroup: String?

    func read() throws(StoreFault) -> Data? {
      var query = query
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess:
        guard let data = found as? Data else {
          throw StoreFault(.unreadable, detail: "The keychain's answer contains no data")
        }
        return data
      case errSecItemNotFound: return nil
      default: throw Self.fault(status, else: .unreadable)
      }
    }

    /// The access group that the item is in; nil if there is no item.
    func group() throws(StoreFault) -> String? {
      var query = query
      query[kSecReturnAttributes as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case errSecSuccess:
        return (found as? [String: Any])?[kSecAttrAccessGroup as String] as? String
      case errSecItemNotFound: return nil
      default: throw Self.fault(status, else: .unreadable)
      }
    }

    /// Updates the item, or creates it if it doesn't exist or was removed meanwhile.
    func write(_ data: Data) throws(StoreFault) {
      let values: [String: Any] = [
        kSecValueData as String: data,
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
      if status == errSecItemNotFound {
        let item = query.merging(values) { _, value in value }
        status = unsafe SecItemAdd(item as CFDictionary, nil)
        // Another process created it first.
        if status == errSecDuplicateItem {
          status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        }
      }
      guard status == errSecSuccess else { throw Self.fault(status, else: .unwritable) }
    }

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

    private static func fault(_ status: OSStatus, else kind: StoreFault.Kind) -> StoreFault {
      status == errSecInteractionNotAllowed
        ? StoreFault(.locked, detail: "The device hasn't been unlocked since its start")
        : StoreFault(kind, detail: "The keychain answered \(status)")
    }
  }
#endif
