import Foundation
import GatehouseProtocol
import GatehouseServer
import Logging

extension ServerConfiguration {
  /// The client that connects to providers, under the outbound rule.
  func outbound() -> OutboundClient {
    OutboundClient(
      rule: OutboundRule(privateHosts: knownPrivateHosts, allowsLoopback: isDevelopment),
      limits: outboundLimits, authorities: privateAuthorities, clock: { Date() })
  }

  /// The client that calls projects' webhooks.
  func webhookClient() -> OutboundClient {
    OutboundClient(
      webhooksTo: privateHosts, authorities: privateAuthorities, clock: { Date() })
  }

  /// The client that calls projects' blocking functions.
  func functionClient() -> OutboundClient {
    OutboundClient(
      functionsOn: privateHosts, authorities: privateAuthorities, seconds: functionSeconds,
      clock: { Date() })
  }

  /// The client that calls the mail webhook. These calls take longer than those to other webhooks, so
  /// they have their own limit of concurrent calls.
  func mailWebhookClient() -> OutboundClient {
    OutboundClient(
      webhooksTo: privateHosts, authorities: privateAuthorities,
      seconds: MailSettings.webhookSeconds, clock: { Date() })
  }

  /// Nil if no collector gets traces.
  func tracer(version: String, logger: Logger) -> Tracer? {
    guard let tracesEndpoint else { return nil }
    let transport = OutboundClient(
      rule: OutboundRule(privateHosts: [tracesEndpoint.host], allowsLoopback: true),
      authorities: privateAuthorities, clock: { Date() })
    return Tracer(percent: tracesPercent, version: version, logger: logger) { spans in
      let content = OutboundRequest.Content(type: "application/json", bytes: Secret(spans))
      return try await transport.send(
        OutboundRequest(message: content, to: tracesEndpoint, of: nil)
      ).status
    }
  }

  /// The URL of the simulator in this process; nil if there is none. For a server that other machines reach by a
  /// public URL with http, it has the same host.
  var simulatorURL: String? {
    simulatorPort.map { Settings.simulatorURL(host: simulatorHost, port: $0) }
  }

  private var simulatorHost: String {
    guard exposesToNetwork, let url = publicURL.flatMap({ URLComponents(string: $0) }),
      url.scheme == "http", let host = url.host
    else { return "127.0.0.1" }
    return host
  }

  /// Hosts at private addresses to which the server may connect.
  private var knownPrivateHosts: [String] {
    privateHosts + (exposesToNetwork ? simulatorPort.map { ["\(simulatorHost):\($0)"] } ?? [] : [])
  }

  /// - Throws: `MalformedBaseURL`.
  func federation(
    _ outbound: any OutboundTransport, logger: Logger
  ) throws -> Federation {
    let providers = try IdentityProviders(baseURL: providerBaseURL ?? simulatorURL)
    var options = FederationOptions()
    options.allowsPlainHTTP = isDevelopment
    return Federation(providers: providers, outbound: outbound, options: options, logger: logger)
  }
}
