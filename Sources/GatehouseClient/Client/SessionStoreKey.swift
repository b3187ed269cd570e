import Crypto
import Foundation
import GatehouseModel

extension ClientConfiguration {
  /// The name under which a store keeps this client's session.
  ///
  /// A digest of what distinguishes clients, so that two apps that share a store don't overwrite
  /// each other's session, and a name that any store accepts. The server's URL isn't part of it: an
  /// operator may move the server without signing users out.
  var sessionStoreKey: String { storeKey("session") }

  /// The key for what a provider tells only once, until the server has it.
  var oneTimeStoreKey: String { storeKey("names") }

  private func storeKey(_ kind: String) -> String {
    var text: [UInt8] = []
    for part in [projectID ?? "", apiKey, appName, usesEmulator ? "emulator" : ""] {
      text += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
    }
    let digest = SHA256.hash(data: text).prefix(16)
    return "\(kind)-\(Hexadecimal.text(digest))"
  }
}
