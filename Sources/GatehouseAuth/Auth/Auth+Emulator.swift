extension Auth {
  /// Sends all requests over plain http to a server on this machine or network: `gatehouse serve
  /// --dev`, which replaces Google's emulator. Never use this with a production server.
  ///
  /// Call it before the first use of this `Auth`, right after `FirebaseApp.configure()`. The
  /// emulator's session is separate from the configured server's. A later call starts again with
  /// the emulator: the user who is signed in there becomes the current user, and listeners are
  /// called.
  ///
  /// - Parameters:
  ///   - host: A name or an address without a scheme. An IPv6 address may have brackets.
  ///   - port: 1 to 65535.
  public func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    precondition((1...65535).contains(port), "The emulator's port isn't in 1...65535: \(port)")
    changeClient { $0.emulator = Emulator(host: host, port: port) }
  }
}
