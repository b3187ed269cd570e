import Crypto
import GatehouseModel

/// A key as a file's name: different for different keys, also where the file system doesn't tell
/// capitals from small letters, and never a path.
struct StoreFileName {
  let text: String
  /// Where the next version is written before it takes the name.
  var draft: String { text + ".part" }

  /// Names end at 255 bytes on most file systems; with room for the endings.
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
    // A dot is never in the first kind, so the two kinds don't meet.
    if name.utf8.count > Self.longest {
      name = "sha256." + Hexadecimal.text(SHA256.hash(data: Array(key.utf8)))
    }
    text = name + ".session"
  }
}
