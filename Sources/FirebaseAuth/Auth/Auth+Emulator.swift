import Foundation

extension Auth {
  /// Sends everything to a server on this machine or network over plain http: `gatehouse serve
  /// --dev`, which takes the place of Google's emulator. Never for a server that people use.
  ///
  /// Comes before the first use, right after `FirebaseApp.configure()`: whoever was signed in to the
  /// configured server isn't here. Later, everything begins anew with the other server.
  ///
  /// - Parameters:
  ///   - host: A name or an address, of IPv6 with or without brackets, without scheme.
  ///   - port: 1 to 65535.
  public func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    precondition((1...65535).contains(port), "The emulator's port is none: \(port)")
    let isIPv6 = host.contains(":") && !host.hasPrefix("[")
    let url = URL(string: "http://\(isIPv6 ? "[\(host)]" : host):\(port)")
    precondition(url != nil, "The emulator's host is a name or an address: \(host)")
    guard let url else { return }
    changeClient { $0.emulator = url }
  }
}
