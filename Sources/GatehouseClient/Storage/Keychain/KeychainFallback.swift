#if canImport(Security)
  import Foundation
  import GatehouseProtocol

  /// The store of a Mac app that isn't entitled to use the data protection keychain, such as one without
  /// the capability Keychain Sharing, or a command-line tool.
  ///
  /// Not the file-based login keychain: the first access by each new build of a program that isn't signed with a
  /// stable identity blocks until the user has entered a password, and without a screen nobody can.
  final class KeychainFallback: Sendable {
    private let replacement: any SessionStore
    private let isNeeded = Locked<Bool?>(nil)

    init(_ replacement: any SessionStore) { self.replacement = replacement }

    /// - Returns: Nil if the keychain can be used. Asks it once.
    func store(for service: String) -> (any SessionStore)? {
      isNeeded.withLock { isNeeded in
        if let isNeeded { return isNeeded ? replacement : nil }
        let isRefused = KeychainItem.Access(service: service, accessGroup: nil).isRefused
        isNeeded = isRefused
        guard isRefused else { return nil }
        NSLog(
          "Gatehouse: this app may not use the keychain (-34018), so its session is kept in a file that "
            + "only its user can read. To use the keychain, add the capability Keychain Sharing.")
        return replacement
      }
    }
  }
#endif
