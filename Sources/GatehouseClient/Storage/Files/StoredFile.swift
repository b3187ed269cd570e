import Crypto
import Foundation
import GatehouseModel

/// What stands in a file: a line with the format's version and the SHA-256 of the rest, and the rest.
///
/// The digest tells what a disk or an editor did to it. It is no protection from somebody who may
/// write the file: that is what its permissions are for.
enum StoredFile {
  private static let format = "gatehouse-store 1 "
  static let headerBytes = format.utf8.count + 64 + 1

  static func bytes(of data: Data) -> Data {
    var bytes = Data("\(format)\(digest(data))\n".utf8)
    bytes.append(data)
    return bytes
  }

  /// - Throws: `damaged`.
  static func data(in bytes: Data) throws(StoreFault) -> Data {
    guard bytes.starts(with: Array("gatehouse-store ".utf8)), bytes.count >= headerBytes else {
      throw StoreFault(.damaged, detail: "The file is none of this store's, or was cut off")
    }
    guard bytes.starts(with: Array(format.utf8)) else {
      throw StoreFault(.damaged, detail: "A later version of the store wrote the file")
    }
    let data = Data(bytes.dropFirst(headerBytes))
    guard bytes.prefix(headerBytes).elementsEqual("\(format)\(digest(data))\n".utf8) else {
      throw StoreFault(.damaged, detail: "The file isn't what was written")
    }
    return data
  }

  private static func digest(_ data: Data) -> String {
    Hexadecimal.text(SHA256.hash(data: data))
  }
}
