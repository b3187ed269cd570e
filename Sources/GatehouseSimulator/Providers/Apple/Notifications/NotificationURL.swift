/// Where notifications may go.
enum NotificationURL {
  /// - Parameter allowedHosts: Besides this machine: nobody makes the simulator call strangers.
  /// - Throws: `invalid_request` for anything but an `http` or `https` URL of at most 2,048 bytes
  ///   whose host is this machine's or an allowed one.
  static func check(_ url: String, allowedHosts: [String]) throws(SimulatorError) {
    try RedirectURI.check(url, webOnly: true)
    let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let authority = String(
      decoding: rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, as: UTF8.self)
    let host = Loopback.host(ofAuthority: authority).foldingASCII()
    guard !authority.contains("@"), !authority.contains("%"),
      Loopback.isLoopback(host: host)
        || allowedHosts.contains(where: { $0.foldingASCII().isSame(as: host) })
    else {
      throw .invalidRequest(
        "\"notification_url\" must be on this machine (http://127.0.0.1:…) or on an allowed host.")
    }
  }
}
