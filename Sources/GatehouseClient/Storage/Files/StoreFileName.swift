import Crypto
import GatehouseProtocol

/// The file name of a key. Different keys have different names, even on a file system that ignores
/// case. A name is never a path.
struct StoreFileName {
  let text: String
  /// The file in which the next version is written before it is renamed.
  var draft: String { text + ".part" }

  /// Most file systems limit names to 255 bytes. This leaves room for the suffixes.
  private static let longest = 200

  init(_ key: String) {
    var name = ""
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        name += "%" + Hexadecimal.text([byte])
      }
    }
    // Escaped names contain no dot, so they never equal the name of a digest.
    if name.utf8.count > Self.longest {
      name = "sha256." + Hexadecimal.text(SHA256.hash(data: Array(key.utf8)))
    }
    text = name + ".session"
  }
}
