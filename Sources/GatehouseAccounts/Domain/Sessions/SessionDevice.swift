import Crypto

/// On what a session began, as far as the request showed. Users tell their sessions apart by it.
package struct SessionDevice: Hashable, Sendable {
  package var userAgent: String?
  package var app: String?
  /// As the operator wants it stored: in full, shortened, or nil.
  package var address: String?
  /// The name that the user gave it; at most ``nameLimit`` characters.
  package var name: String?

  package static let nameLimit = 100

  package init(
    userAgent: String? = nil, app: String? = nil, address: String? = nil, name: String? = nil
  ) {
    self.userAgent = userAgent
    self.app = app
    self.address = address
    self.name = name
  }

  init(_ source: EventSource) {
    self.init(userAgent: source.userAgent, app: source.app, address: source.address)
  }

  /// Equal for two sign-ins that look as if they came from the same device: 8 bytes. Numbers in the user
  /// agent don't count, as an update of the app or the system doesn't make it another device. Nor does the
  /// address, which changes on the way home.
  package var digest: [UInt8] {
    let agent = (userAgent ?? "").utf8.filter { !(0x30...0x39).contains($0) && $0 != 0x2E }
    return Array(SHA256.hash(data: agent + [0] + Array((app ?? "").utf8)).prefix(8))
  }
}
