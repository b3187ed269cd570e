import Foundation
import GatehouseAPI
import GatehouseFederation
import GatehouseModel
import Logging

/// Every setting that there is. What reads settings, lists them, helps with them and checks their
/// guide takes it from here.
enum Settings {
  static let host = Setting.text("host", "address", "where to listen", standard: "127.0.0.1")
  static let port = Setting.integer(
    "port", in: 0...65535, "the port; 0 takes a free one", standard: 9099)
  static let data = Setting.text(
    "data", "folder", "where the database is", standard: "gatehouse-data",
    shown: "./gatehouse-data")
  static let publicURL = Setting<String?>(
    "publicURL", "https URL", "where clients reach the server; needed in production",
    standard: nil
  ) { given throws(SettingFault) in try PublicURL.checked(given.text) }

  static let masterKey = Setting<Secret<String>?>(
    "masterKey", "base64 of 32 bytes",
    "encrypts what is secret in the database; better in the environment or a file", standard: nil,
    isSecret: true
  ) { Secret($0.text) }
  static let masterKeyFile = Setting.path(
    "masterKeyFile", "holds the master key", form: "file, mode 0600")

  static let metricsPort = Setting.integer(
    "metricsPort", in: 0...65535, "the port of Prometheus metrics; 0 takes a free one",
    shown: "none")
  static let metricsHost = Setting.text(
    "metricsHost", "address", "where metrics listen, which anybody who reaches it may read",
    standard: "127.0.0.1")

  static let simulatorPort = Setting.integer(
    "simulatorPort", in: 0...65535, "--dev: the simulated providers; 0 for none", standard: 9100)
  static let project = Setting<ProjectID?>(
    "project", "project id", "--dev: what any API key names", standard: ProjectID("demo"),
    shown: "demo"
  ) { given throws(SettingFault) in
    guard let project = ProjectID(given.text) else {
      throw SettingFault("no project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -")
    }
    return project
  }
  static let allowedHosts = Setting.names(
    "dev.allowedHosts", "--dev: values of Host accepted beside loopback's")

  /// By `ProviderKind.name`.
  static let providerBaseURLs = IdentityProviders.builtIn.map { ($0.name, providerBaseURL($0)) }
  static let appleDomainAssociation = Setting<String?>(
    "apple.domainAssociationFile", "file",
    "what Apple gives to show whose the host is: apple-developer-domain-association.txt",
    standard: nil
  ) { given throws(SettingFault) in try AppleDomainAssociation.text(ofFile: given.text) }

  static let privateHosts = Setting.names(
    "outbound.privateHosts", "hosts whose private addresses may be connected to")
  static let privateAuthorities = Setting(
    "outbound.caFile", "file",
    "PEM: certificate authorities to trust besides the machine's, for providers",
    standard: PrivateAuthorities()
  ) { given throws(SettingFault) in
    do {
      return try PrivateAuthorities(file: given.text)
    } catch {
      throw SettingFault("“\(given.text)” can't be read, or holds no certificate in PEM")
    }
  }
  static let outboundSeconds = Setting.integer(
    "outbound.seconds", in: 1...60,
    "how long a call to a provider may take, from look-up to answer",
    standard: Int(OutboundClient.Limits().duration.components.seconds))

  static let tlsCertificate = Setting.path(
    "tls.certificate", "PEM: the server's certificate and its issuers'; without it plain http")
  static let tlsKey = Setting.path("tls.key", "PEM: the certificate's key, unencrypted")

  private static let limits = ConnectionLimits()
  static let connections = Setting.integer(
    "server.connections", in: 1...100_000, "open at once; who comes then waits",
    standard: limits.connections)
  static let connectionsPerAddress = Setting.integer(
    "server.connectionsPerAddress", in: 1...100_000,
    "open at once from one address, trusted proxies excepted",
    standard: limits.connectionsPerAddress)
  static let idleSeconds = Setting.integer(
    "server.idleSeconds", in: 1...3600, "how long a connection may wait for its next request",
    standard: limits.idleSeconds)
  static let requestSeconds = Setting.integer(
    "server.requestSeconds", in: 1...600, "how long a request may take to arrive",
    standard: limits.requestSeconds)
  static let responseSeconds = Setting.integer(
    "server.responseSeconds", in: 1...600, "how long a client may take to read a response",
    standard: limits.responseSeconds)
  static let trustedProxies = Setting<[IPNetwork]>(
    "server.trustedProxies", "networks, comma-separated",
    "proxies in front, such as 10.0.0.0/8, whose word on a client's address is taken", standard: []
  ) { given throws(SettingFault) in try IPNetwork.proxies(given.elements) }
  static let forwardedHeader = Setting(
    "server.forwardedHeader",
    TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: " or "),
    "the header that those proxies write", standard: TrustedProxies().header,
    shown: TrustedProxies().header.rawValue
  ) { given throws(SettingFault) in
    let known = TrustedProxies.Header.allCases
    guard let header = known.first(where: { $0.rawValue.lowercased() == given.text.lowercased() })
    else {
      throw SettingFault(
        "“\(given.text)” is neither \(known.map(\.rawValue).joined(separator: " nor "))")
    }
    return header
  }

  static let logLevel = Setting(
    "log.level", "trace…critical", "how much is logged", standard: Logger.Level.info, shown: "info"
  ) { given throws(SettingFault) in
    guard let level = Logger.Level(rawValue: given.text) else {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingFault("“\(given.text)” is none of \(known)")
    }
    return level
  }

  static let passwordLogCost = Setting.integer(
    "passwords.logCost", in: 10...20, "log₂ of scrypt's cost for new hashes", standard: 15,
    inDevelopment: 10)
  static let passwordThreads = Setting.integer(
    "passwords.threads", in: 1...64, "threads that hash",
    standard: max(1, ProcessInfo.processInfo.activeProcessorCount - 1),
    shown: "one less than cores")
  static let shutdownGraceSeconds = Setting.integer(
    "shutdown.graceSeconds", in: 1...300,
    "how long requests under way may take after SIGTERM", standard: 20)

  static let all: [any DescribedSetting] =
    beforeProviders + providerBaseURLs.map(\.1) + afterProviders

  private static let beforeProviders: [any DescribedSetting] = [
    host, port, data, publicURL, masterKey, masterKeyFile, metricsPort, metricsHost, simulatorPort,
    project, allowedHosts,
  ]

  private static let afterProviders: [any DescribedSetting] = [
    appleDomainAssociation, privateHosts, privateAuthorities, outboundSeconds, tlsCertificate,
    tlsKey, connections,
    connectionsPerAddress, idleSeconds, requestSeconds, responseSeconds, trustedProxies,
    forwardedHeader, logLevel, passwordLogCost, passwordThreads, shutdownGraceSeconds,
  ]

  /// Where a server of `--dev` is that was told nothing else, and the simulator beside it.
  static let developmentURL = "http://\(host.standard):\(port.standard)"
  static let simulatorURL = simulatorURL(port: simulatorPort.standard)

  static func simulatorURL(port: Int) -> String { "http://127.0.0.1:\(port)" }

  /// What to say about variables of the environment that begin like ours and aren't: they are
  /// passed over, as the environment belongs to others too.
  static func unknownVariables(in environment: [String: String]) -> [String] {
    let known = Set(all.map(\.environmentName))
    return environment.keys.filter { $0.hasPrefix("GATEHOUSE_") && !known.contains($0) }.sorted()
      .map {
        "there is no setting for the variable \($0): it is passed over. `gatehouse serve "
          + "--list-settings` lists them"
      }
  }

  private static func providerBaseURL(_ kind: ProviderKind) -> Setting<String?> {
    Setting(
      kind.baseURLSetting, "URL", "what stands in for \(kind.displayName)", standard: nil
    ) {
      given throws(SettingFault) in
      let components = URLComponents(string: given.text)
      let isAllowed =
        components?.scheme == "https"
        || given.isDevelopment && components?.scheme == "http"
          && LoopbackName.isLoopback(components?.host ?? "")
      guard isAllowed, components?.host?.isEmpty == false else {
        throw SettingFault(
          "“\(given.text)” must be https" + (given.isDevelopment ? ", or http to loopback" : ""))
      }
      return given.text.hasSuffix("/") ? String(given.text.dropLast()) : given.text
    }
  }
}

extension IPNetwork {
  /// Networks of proxies: not everybody's.
  fileprivate static func proxies(_ texts: [String]) throws(SettingFault) -> [IPNetwork] {
    var networks: [IPNetwork] = []
    var faults: [String] = []
    for text in texts {
      guard let network = IPNetwork(text) else {
        faults.append("“\(text)” is neither an address nor a network such as 10.0.0.0/8")
        continue
      }
      networks.append(network)
      if network.isEverything {
        faults.append(
          "“\(text)” is everybody, and anybody could claim any address: name your proxies' own "
            + "addresses")
      }
    }
    guard faults.isEmpty else { throw SettingFault(faults) }
    return networks
  }
}
