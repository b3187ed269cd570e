import Crypto
import GatehouseModel

extension SHA256Digest {
  var lowercaseHex: String {
    // An array, made from the memory: a generic function would call an iterator for each byte.
    Hexadecimal.text(unsafe withUnsafeBytes { unsafe Array($0) })
  }
}
