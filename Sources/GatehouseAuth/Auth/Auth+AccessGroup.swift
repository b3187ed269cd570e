import GatehouseClient
import GatehouseProtocol

extension Auth {
  /// The keychain access group in which the session is shared. Nil if it isn't shared.
  public var userAccessGroup: String? { state.withLock { $0.userAccessGroup } }

  func client(inGroup accessGroup: String?) throws -> AuthClient {
    let emulator = state.withLock { $0.emulator }
    return try asAuthErrors { () throws(ClientError) in
      do throws(StoreFault) {
        return try maker.client(emulator: emulator, accessGroup: accessGroup)
      } catch {
        throw .store(error)
      }
    }
  }
}
