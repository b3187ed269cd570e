import Foundation

/// The simulator behind TLS, as a production server reaches providers: it refuses plain http.
struct SecureSimulator: Sendable {
  /// `https://localhost:<port>`, of the providers as the server knows them.
  let url: String
  let certificate: Certificate
  /// What devices and tests call, without TLS.
  let providers: SimulatedProviders

  var issuer: String { url + "/oidc" }

  /// Settings of a server for which the simulator is all providers.
  var settings: [String] {
    [
      "--set", "providers.baseURL=\(url)", "--set", "outbound.caFile=\(certificate.file)",
      "--set", "outbound.privateHosts=\(url.dropFirst("https://".count))",
    ]
  }

  static func with<Result: Sendable>(
    in folder: TemporaryFolder, _ body: (SecureSimulator) async throws -> Result
  ) async throws -> Result {
    let (port, plainPort) = (try await FreePort.next(), try await FreePort.next())
    let url = "https://localhost:\(port)"
    let certificate = try await Certificate.make("providers", in: folder)
    let simulator = try ChildProcess(
      try Binary.path(), ["simulate", "--port", String(plainPort), "--public-url", url],
      folder: folder)
    defer { simulator.kill() }
    // It prints its public URL.
    let isListening = try await Deadline.wait {
      simulator.output.contains("Simulator listens on ") || !simulator.isRunning
    }
    guard isListening, simulator.isRunning else {
      throw ClientFailure("The simulator doesn't listen: \(simulator.errors)")
    }
    return try await Python.serve(
      "tls_proxy.py", [String(port), certificate.file, certificate.keyFile, String(plainPort)]
    ) { _ in
      try await body(
        SecureSimulator(
          url: url, certificate: certificate,
          providers: SimulatedProviders(baseURL: "http://127.0.0.1:\(plainPort)")))
    }
  }
}
