/// A server's words, for a log.
enum ReplyText {
  static let maximumBytes = 500

  /// One line of visible ASCII. Control characters and bytes beyond ASCII become `?`, so that a server
  /// can't forge lines of the log.
  static func line(_ bytes: some Sequence<UInt8>) -> String {
    var line: [UInt8] = []
    for byte in bytes {
      guard line.count < maximumBytes else { break }
      switch byte {
      case 0x0D: continue
      case 0x09, 0x0A, 0x20: if !line.isEmpty, line.last != 0x20 { line.append(0x20) }
      case 0x21...0x7E: line.append(byte)
      default: line.append(UInt8(ascii: "?"))
      }
    }
    while line.last == 0x20 { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }
}
