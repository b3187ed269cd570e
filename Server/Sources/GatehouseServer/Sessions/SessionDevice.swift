import Crypto

/// The device on which a session began, as far as the request showed it. A user can tell the account's
/// sessions apart by their devices.
package struct SessionDevice: Hashable, Sendable {
  package var userAgent: String?
  package var app: String?
  /// The client address in full, shortened, or nil, as the operator configured it.
  package var address: String?
  /// The name that the user gave the device; at most ``nameLimit`` characters.
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

  /// Equal for two sign-ins that seem to come from the same device: 8 bytes. It ignores the digits in the
  /// user agent, which change when the app or the system is updated. It ignores the address, which changes
  /// when the device joins another network.
  package var digest: [UInt8] {
    let agent = (userAgent ?? "").utf8.filter { !(0x30...0x39).contains($0) && $0 != 0x2E }
    return Array(SHA256.hash(data: agent + [0] + Array((app ?? "").utf8)).prefix(8))
  }
}
