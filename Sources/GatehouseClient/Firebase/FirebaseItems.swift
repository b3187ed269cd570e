package import Foundation

/// What Google's SDK left on the device.
package protocol FirebaseItems: Sendable {
  /// The archive with the signed-in user, and the user's name in it; nil if there certainly is none.
  func find() throws(StoreFault) -> (archive: Data, rootKey: String)?
  /// Also if there is none.
  func remove() throws(StoreFault)
}

#if canImport(Security)
  import Security

  /// The keychain items of Google's SDK, in the places where its versions 4 to 12 keep them.
  struct FirebaseKeychain: FirebaseItems {
    let app: FormerFirebaseApp

    /// An item, and the name of the user in its archive.
    private struct Place {
      var query: [String: Any]
      let rootKey: String

      init(account: String, service: String?, accessGroup: String? = nil, rootKey: String) {
        self.rootKey = rootKey
        query = [
          kSecClass as String: kSecClassGenericPassword,
          kSecAttrAccount as String: account,
          kSecUseDataProtectionKeychain as String: true,
        ]
        query[kSecAttrService as String] = service
        guard let accessGroup else { return }
        query[kSecAttrAccessGroup as String] = accessGroup
        // `shareAuthStateAcrossDevices` synchronizes the item.
        query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
      }
    }

    private var places: [Place] {
      let service = "firebase_auth_\(app.googleAppID)"
      let user = "\(app.storedName)_firebase_user"
      var places = [
        Place(account: "firebase_auth_1_\(user)", service: service, rootKey: user),
        // Of a version before the service was part of the name.
        Place(account: user, service: nil, rootKey: user),
      ]
      // `useUserAccessGroup(_:)` is remembered here.
      let defaults = UserDefaults(suiteName: "com.google.Firebase.Auth.\(service)")
      if let group = defaults?.string(forKey: "firebase_auth_stored_user_access_group") {
        places.insert(
          Place(
            account: "firebase_auth_firebase_user", service: app.apiKey, accessGroup: group,
            rootKey: "firebase_auth_stored_user_coder_key"), at: 0)
      }
      return places
    }

    func find() throws(StoreFault) -> (archive: Data, rootKey: String)? {
      for place in places {
        var query = place.query
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        switch status {
        case errSecSuccess:
          guard let archive = found as? Data else { continue }
          return (archive, place.rootKey)
        // Without the entitlement, Google's SDK had no item there either.
        case errSecItemNotFound, errSecMissingEntitlement: continue
        default: throw KeychainItem.fault(status, else: .unreadable)
        }
      }
      // A locked device may hide items.
      let access = KeychainItem.Access(
        service: "firebase_auth_\(app.googleAppID)", accessGroup: nil)
      if !access.isRefused { try access.check() }
      return nil
    }

    func remove() throws(StoreFault) {
      for place in places {
        let status = SecItemDelete(place.query as CFDictionary)
        switch status {
        case errSecSuccess, errSecItemNotFound, errSecMissingEntitlement: continue
        default: throw KeychainItem.fault(status, else: .unwritable)
        }
      }
    }
  }
#endif
