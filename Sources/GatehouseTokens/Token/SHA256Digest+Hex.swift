import Crypto
import GatehouseModel

extension SHA256Digest {
  var lowercaseHex: String { Hexadecimal.text(self) }
}
