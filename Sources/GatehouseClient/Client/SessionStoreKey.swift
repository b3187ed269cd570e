import Crypto
import Foundation
import GatehouseProtocol

extension ClientConfiguration {
  /// The name under which a store keeps this client's session.
  ///
  /// Contains a digest of the values that distinguish clients, so that two clients that share a
  /// store don't overwrite each other's session. Any store accepts the name. The server's URL isn't
  /// part of it: an operator may move the server without signing users out.
  var sessionStoreKey: String { storeKey("session") }

  /// The key for data that a provider sends only once, until the server has it.
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
