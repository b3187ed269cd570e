/// Splits the text of a ``PostBody`` into fields, percent-encoded or not.
enum PostBodyText {
  /// The names at which data that isn't encoded may be split.
  private static let known = [
    "providerId", "id_token", "nonce", "access_token", "oauth_token_secret", "identifier", "user",
    "code", "state", "pendingToken", "oauth_verifier", "refresh_token", "expires_in", "token_type",
    "scope", "error", "error_description", "iss", "realUserStatus",
  ].map { Array($0.utf8) }

  /// The fields whose values never contain `&`: ids of providers, and JWTs.
  private static let withoutAmpersand = ["providerId=", "id_token="].map { Array($0.utf8) }

  static func fields(_ text: String) -> FormFields {
    let bytes = Array(text.utf8)
    return isEncoded(bytes) ? FormFields(bytes: bytes) : rawFields(bytes)
  }

  /// Whether the text is percent-encoded.
  ///
  /// It isn't if it contains one of these: a byte that an encoder would escape, such as `{`, a
  /// space, `/` or `@`; a `%` that begins no escape; a second `=` in one field. Any other text is
  /// encoded, except a
  /// text that begins with `providerId` and contains no escape: the SDK that doesn't encode begins
  /// with `providerId`.
  private static func isEncoded(_ bytes: [UInt8]) -> Bool {
    var holdsEscape = false
    var equalsInField = 0
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "%"):
        guard PercentEncoding.escaped(bytes[(index + 1)...]) != nil else { return false }
        holdsEscape = true
      case UInt8(ascii: "="):
        equalsInField += 1
        if equalsInField > 1 { return false }
      case UInt8(ascii: "&"): equalsInField = 0
      case let byte where !isLeftByEncoders(byte): return false
      default: break
      }
    }
    return holdsEscape || !bytes.starts(with: "providerId=".utf8)
  }

  private static func isLeftByEncoders(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"),
      UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "+"):
      true
    default: false
    }
  }

  private static func rawFields(_ bytes: [UInt8]) -> FormFields {
    var fields = FormFields()
    var start = bytes.first == UInt8(ascii: "&") ? 1 : 0
    while start < bytes.count, fields.fields.count < FormFields.maximumFields {
      let isUser = bytes[start...].starts(with: "user=".utf8)
      let end = isUser ? bytes.count : endOfField(bytes, from: start)
      let field = bytes[start..<end]
      let equals = field.firstIndex(of: UInt8(ascii: "=")) ?? end
      let value = field[equals...].dropFirst()
      fields.append(
        String(decoding: field[..<equals], as: UTF8.self),
        String(decoding: isUser ? balancedObject(value) : value, as: UTF8.self))
      start = end + 1
    }
    return fields
  }

  /// The end of the field that begins at `start`: before the next `&` that is followed by a known
  /// name and `=`. Before any `&` if the value can't contain one.
  private static func endOfField(_ bytes: [UInt8], from start: Int) -> Int {
    let field = bytes[start...]
    if withoutAmpersand.contains(where: { field.starts(with: $0) }) {
      return field.firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
    }
    var index = start
    while let ampersand = bytes[index...].firstIndex(of: UInt8(ascii: "&")) {
      let rest = bytes[(ampersand + 1)...]
      if known.contains(where: { rest.starts(with: $0) && rest.dropFirst($0.count).first == 0x3D })
      {
        return ampersand
      }
      index = ampersand + 1
    }
    return bytes.count
  }

  /// The JSON object at the beginning of `bytes`, delimited by its braces outside strings; all of
  /// `bytes` if it never closes.
  private static func balancedObject(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for (index, byte) in zip(bytes.indices, bytes) {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        if depth <= 0 { return bytes[bytes.startIndex...index] }
      default: break
      }
    }
    return bytes
  }
}
