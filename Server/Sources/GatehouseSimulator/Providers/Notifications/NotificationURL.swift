/// The check of notification URLs.
enum NotificationURL {
  /// The member of a client's registration.
  static let member = "notification_url"

  /// Whether a URL may be on this machine: not for a caller on another one, who could reach programs that only this
  /// machine should reach.
  @TaskLocal static var mayBeOnThisMachine = true

  /// - Parameter allowedHosts: Accepted hosts besides this machine, so that a request can't make
  ///   the simulator call arbitrary servers.
  /// - Throws: `invalid_request` unless it is an `http` or `https` URL of at most 2,048 bytes whose
  ///   host is this machine or an allowed host.
  static func check(_ url: String, allowedHosts: [String]) throws(SimulatorError) {
    try RedirectURI.check(url, webOnly: true)
    let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
    let authority = String(
      decoding: rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }, as: UTF8.self)
    let host = Loopback.host(ofAuthority: authority).foldingASCII()
    guard !authority.contains("@"), !authority.contains("%"),
      mayBeOnThisMachine && Loopback.isLoopback(host: host)
        || allowedHosts.contains(where: { $0.foldingASCII().isSame(as: host) })
    else {
      throw .invalidRequest(
        "\"notification_url\" must be on this machine (http://127.0.0.1:…) or on an allowed host.")
    }
  }
}

extension RegisteredClient {
  /// The address at which the client's server receives the provider's notifications.
  var notificationURL: String? {
    get { details[NotificationURL.member]?.stringValue }
    set { details[NotificationURL.member] = newValue.map(JSONValue.string) }
  }
}
