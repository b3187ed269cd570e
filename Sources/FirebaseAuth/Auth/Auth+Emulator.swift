extension Auth {
  /// Sends everything to a server on this machine or network over plain http: `gatehouse serve
  /// --dev`, which takes the place of Google's emulator. Never for a server that people use.
  ///
  /// Comes before the first use, right after `FirebaseApp.configure()`. Its session is kept apart
  /// from the configured server's. Later, everything begins anew with the emulator: who is signed in
  /// there is the current user, and listeners are told.
  ///
  /// - Parameters:
  ///   - host: A name or an address, of IPv6 with or without brackets, without scheme.
  ///   - port: 1 to 65535.
  public func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    precondition((1...65535).contains(port), "The emulator's port is none: \(port)")
    changeClient { $0.emulator = Emulator(host: host, port: port) }
  }
}
