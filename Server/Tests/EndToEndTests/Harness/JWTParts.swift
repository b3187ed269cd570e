import Foundation

/// A token's parts as text, to inspect the server's tokens and to create invalid ones.
///
/// Verifies nothing.
struct JWTParts: Sendable {
  var header: JSON
  var claims: JSON
  private var parts: [Substring]

  init?(_ token: String) {
    parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    header = Self.decode(parts[0])
    claims = Self.decode(parts[1])
  }

  /// The token with one byte of its signature changed.
  var withChangedSignature: String {
    let signature = parts[2]
    let changed = (signature.first == "A" ? "B" : "A") + signature.dropFirst()
    return "\(parts[0]).\(parts[1]).\(changed)"
  }

  private static func decode(_ part: Substring) -> JSON {
    var text = part.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text.append("=") }
    return JSON(reading: Data(base64Encoded: text) ?? Data())
  }
}
