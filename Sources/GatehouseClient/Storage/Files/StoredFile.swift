import Crypto
import Foundation
import GatehouseProtocol

/// The content of a file: one line with the format's version and the SHA-256 of the data, then the
/// data.
///
/// The digest detects damage by a disk or an editor. It doesn't protect against an attacker who may
/// write the file: the file's permissions do.
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
      throw StoreFault(.damaged, detail: "The file isn't one of this store, or was truncated")
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
