import GatehouseProtocol

/// The URL of a project's own page for action codes. The links with the codes begin with this URL
/// and not with that of this server's page. Firebase calls it `callbackUri`.
package enum CallbackURI {
  /// Short, because the code, the API key and a continue URL follow in the link.
  package static let maximumBytes = 1024

  /// Whether a project may have this page. It must be an `https` URL, because the link contains a
  /// secret; `http` is allowed on this machine. The URL must be visible ASCII, without user
  /// information and without a fragment: a browser doesn't send a fragment to the server.
  package static func isValid(_ text: String) -> Bool {
    guard text.utf8.count <= maximumBytes, text.utf8.allSatisfy(isPlain),
      let start = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) })
    else { return false }
    let rest = text.utf8.dropFirst(start.utf8.count)
    let authority = String(decoding: rest.prefix { !"/?".utf8.contains($0) }, as: UTF8.self)
    guard let host = LoopbackName.host(ofAuthority: authority) else { return false }
    return isSecure(text) || LoopbackName.isLoopback(host)
  }

  package static func isSecure(_ text: String) -> Bool { text.utf8.starts(with: "https://".utf8) }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"#\"<>\\^`{|}".utf8.contains(byte)
  }
}
