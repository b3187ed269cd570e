import Foundation
import GatehouseServer
import Logging

extension ServerConfiguration {
  /// The client that connects to providers, under the outbound rule.
  func outbound() -> OutboundClient {
    OutboundClient(
      rule: OutboundRule(privateHosts: privateHosts, allowsLoopback: isDevelopment),
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

  /// The URL of the simulator in this process; nil if there is none.
  var simulatorURL: String? { simulatorPort.map { Settings.simulatorURL(port: $0) } }

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
