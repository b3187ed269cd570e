/// A statement of `GatehouseSQL` as PostgreSQL reads it.
enum PostgresStatement {
  /// Replaces placeholders such as `?` and `?2` with `$1` and `$2`. Texts in quotes are unchanged.
  static func text(_ sql: String) -> String {
    var text: [UInt8] = []
    var count = 0
    var isQuoted = false
    var rest = Array(sql.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "'") { isQuoted.toggle() }
      guard byte == UInt8(ascii: "?"), !isQuoted else {
        text.append(byte)
        continue
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      count += 1
      text.append(UInt8(ascii: "$"))
      text += digits.isEmpty ? Array("\(count)".utf8) : Array(digits)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
