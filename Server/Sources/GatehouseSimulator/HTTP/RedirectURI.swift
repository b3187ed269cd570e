/// The check of redirect URIs at authorization endpoints.
enum RedirectURI {
  /// - Parameter webOnly: Whether only `http` and `https` are accepted, and no app's own scheme.
  /// - Throws: `invalid_request` unless it is an absolute URI of printable ASCII, of at most 2,048
  ///   bytes, without a fragment (RFC 6749 §3.1.2); and for a scheme with which a browser executes
  ///   or shows the URI's content.
  static func check(_ uri: String, webOnly: Bool) throws(SimulatorError) {
    guard uri.utf8.count <= 2_048, uri.utf8.allSatisfy(isURIByte),
      let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { throw .invalidRequest("Invalid redirect_uri.") }
    let scheme = String(uri[..<colon]).foldingASCII()
    let isWeb = scheme == "https" || scheme == "http"
    guard isWeb ? uri[colon...].hasPrefix("://") : !webOnly else {
      throw .invalidRequest("Invalid redirect_uri: it must begin with https:// or http://.")
    }
    guard !["javascript", "data", "vbscript", "file", "blob", "about"].contains(scheme),
      !scheme.isEmpty
    else { throw .invalidRequest("Invalid redirect_uri: its scheme is not allowed.") }
  }

  private static func isURIByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "#"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }
}
