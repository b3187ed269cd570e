import Crypto
import Foundation
import GatehouseModel

extension ClientConfiguration {
  /// The name under which a store keeps this client's session.
  ///
  /// A digest of what tells clients apart, so that two apps on one store don't overwrite each other,
  /// and a name that any store can take. The server's URL isn't part of it: an operator may move
  /// the server, and nobody is to be signed out by that.
  var sessionStoreKey: String { storeKey("session") }

  /// Where what a provider tells only once is kept until the server has it.
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
