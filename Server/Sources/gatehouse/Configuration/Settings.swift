import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging

/// All settings. The code that reads and lists settings, and the help texts,
/// use these definitions.
enum Settings {
  static let host = Setting.text("host", "address", "where to listen", standard: "127.0.0.1")
  static let port = Setting.integer(
    "port", in: 0...65535, "the port to listen on; 0 uses a free port", standard: 9099)
  static let data = Setting.text(
    "data", "folder", "where the database is", standard: "gatehouse-data",
    shown: "./gatehouse-data")
  static let database = Setting<PostgresAddress?>(
    "database", "postgres URL",
    "a PostgreSQL database in place of a file: postgres://user@host:5432/name; a password is better "
      + "given in PGPASSFILE or in the environment", standard: nil, shown: "SQLite", isSecret: true
  ) { given throws(SettingFault) in
    do throws(PostgresAddressFault) {
      return try PostgresAddress(given.text)
    } catch {
      // The text may contain a password.
      throw SettingFault("this is no PostgreSQL database: \(error)")
    }
  }
  static let postgresConnections = Setting.integer(
    "postgres.connections", in: 1...500, "connections of this server to PostgreSQL", standard: 16)
  static let postgresWaitSeconds = Setting.integer(
    "postgres.waitSeconds", in: 1...60,
    "how long an operation waits for a connection, and once more if its connection is lost",
    standard: 5)
  static let publicURL = Setting<String?>(
    "publicURL", "https URL", "the URL at which clients reach the server; required in production",
    standard: nil
  ) { given throws(SettingFault) in
    try PublicURL.checked(given.text, allowsHTTP: given.isDevelopment)
  }

  static let masterKey = Setting<Secret<String>?>(
    "masterKey", "base64 of 32 bytes",
    "encrypts the secrets in the database; better given in the environment or a file",
    standard: nil, isSecret: true
  ) { Secret($0.text) }
  static let masterKeyFile = Setting.path(
    "masterKeyFile", "the file that contains the master key", form: "file, mode 0600")

  static let vaultKeyCommand = Setting<String?>(
    "vault.keyCommand", "shell command",
    "a command that prints the key for providers' tokens, 32 bytes in base64; for example, it asks a "
      + "key management service; without this command, the master key encrypts the tokens",
    standard: nil
  ) { $0.text }

  static let metricsPort = Setting.integer(
    "metricsPort", in: 0...65535,
    "the port of the Prometheus metrics; 0 uses a free port; without this setting there are no "
      + "metrics")
  static let metricsHost = Setting.text(
    "metricsHost", "address",
    "the address for metrics; anyone who can connect to it can read them", standard: "127.0.0.1")

  static let simulatorPort = Setting.integer(
    "simulatorPort", in: 0...65535, "--dev: the port of the simulator; 0 turns it off",
    standard: 9100)
  static let project = Setting<ProjectID?>(
    "project", "project id", "--dev: the project that any unknown API key identifies",
    standard: ProjectID("demo"), shown: "demo"
  ) { given throws(SettingFault) in
    guard let project = ProjectID(given.text) else {
      throw SettingFault("not a project id: a lower-case letter, then 2 to 62 of a–z, 0–9 and -")
    }
    return project
  }
  static let allowedHosts = Setting.names(
    "dev.allowedHosts",
    "--dev: names that are accepted as Host in addition to those of this machine")
  static let exposesToNetwork = flag(
    "exposeToNetwork",
    "--dev: whether other machines can connect, to host or to all addresses; also to the simulator, where they "
      + "sign in as any person")
  static let networkToken = Setting<Secret<String>?>(
    "dev.networkToken", "text",
    "--dev: the administrator's token of callers on other machines, such as owner where only tests can connect",
    standard: nil, shown: "a new one at each start", isSecret: true
  ) { Secret($0.text) }

  static let unsignedTokens = flag(
    "dev.unsignedTokens",
    "--dev: whether ID tokens and session cookies have the form of those of Google's emulator, without "
      + "a signature, which Google's Admin SDK for Node.js expects")

  private static func flag(_ key: String, _ meaning: String) -> Setting<Bool> {
    Setting(key, "true, false", meaning, standard: false, shown: "false") {
      given throws(SettingFault) in
      guard let value = Bool(given.text) else {
        throw SettingFault("“\(given.text)” is not true or false")
      }
      return value
    }
  }

  static let console = Setting(
    "server.console", "on, off", "whether there is a console for administrators, at /console",
    standard: true, shown: "on"
  ) { given throws(SettingFault) in
    switch given.text {
    case "on": return true
    case "off": return false
    default: throw SettingFault("“\(given.text)” is not on or off")
    }
  }

  static let links = Setting(
    "server.links", "names and https URLs, comma-separated",
    "links on the page at /, such as Terms=https://example.com/terms", standard: [PageLink]()
  ) { given throws(SettingFault) in
    var links: [PageLink] = []
    for element in given.elements {
      guard let link = PageLink(element) else {
        throw SettingFault(
          "“\(element)” is not a name and an https URL, such as Terms=https://example.com/terms")
      }
      links.append(link)
    }
    return links
  }

  static let providerBaseURL = Setting<String?>(
    "providers.baseURL", "https URL",
    "a stand-in for all providers with endpoints of their own, such as a simulator: it has "
      + IdentityProviders.builtIn.map { "/\($0.name)" }.joined(separator: ", "),
    standard: nil, shown: "the providers' endpoints, in --dev those of the server's simulator"
  ) { given throws(SettingFault) in
    let components = URLComponents(string: given.text)
    let isAllowed =
      components?.scheme == "https"
      || given.isDevelopment && components?.scheme == "http"
        && LoopbackName.isLoopback(components?.host ?? "")
    guard isAllowed, components?.host?.isEmpty == false else {
      throw SettingFault(
        "“\(given.text)” is not an https URL"
          + (given.isDevelopment ? " (http is allowed for loopback)" : ""))
    }
    return given.text.hasSuffix("/") ? String(given.text.dropLast()) : given.text
  }
  static let appleDomainAssociation = Setting<String?>(
    "apple.domainAssociationFile", "file",
    "Apple's file that shows who owns the host: apple-developer-domain-association.txt",
    standard: nil
  ) { given throws(SettingFault) in try AppleDomainAssociation.text(ofFile: given.text) }

  static let appleChecksPerMinute = Setting.integer(
    "apple.checksPerMinute", in: 0...100_000,
    "how many of Apple's refresh tokens the server checks in a minute, each at most once a day; 0: "
      + "none", standard: 60)

  static let privateHosts = Setting.names(
    "outbound.privateHosts",
    "hosts at private addresses to which the server may connect, each with all its ports or with one "
      + "(idp.example.com:8443)")
  static let privateAuthorities = Setting(
    "outbound.caFile", "file",
    "PEM: certificate authorities for providers and webhooks, in addition to the machine's",
    standard: PrivateAuthorities()
  ) { given throws(SettingFault) in
    do {
      return try PrivateAuthorities(file: given.text)
    } catch {
      throw SettingFault("“\(given.text)” can't be read, or contains no certificate in PEM")
    }
  }
  static let outboundSeconds = Setting.integer(
    "outbound.seconds", in: 1...60,
    "how long a call to a provider may take, from DNS look-up to response",
    standard: Int(OutboundClient.Limits().duration.components.seconds))
  static let functionSeconds = Setting.integer(
    "blockingFunctions.seconds", in: 1...60,
    "how long a blocking function may take; users wait for it",
    standard: BlockingFunction.deadlineSeconds)

  static let mailServer = Setting<SMTPServer?>(
    "mail.server", "smtps or smtp URL",
    "the server that sends emails, such as smtps://mail.example.com:465; smtp:// requires STARTTLS, "
      + "except on loopback",
    standard: nil
  ) { given throws(SettingFault) in
    do throws(SMTPServerFault) {
      return try SMTPServer(url: given.text)
    } catch {
      // The text may contain a password.
      throw SettingFault("this is no mail server: \(error)")
    }
  }
  static let mailWebhook = Setting<OutboundURL?>(
    "mail.webhook", "https URL",
    "a program of yours that sends emails, in place of a mail server; http:// only on this machine",
    standard: nil
  ) { given throws(SettingFault) in
    guard let url = OutboundURL(given.text) else { throw SettingFault("“\(given.text)” is no URL") }
    guard url.isSecure || url.namesLoopback else {
      throw SettingFault("“\(given.text)” must be https: emails contain links that sign users in")
    }
    return url
  }
  static let mailWebhookSecret = Setting(
    "mail.webhookSecret", "whsec_…",
    "the secret that signs requests to the webhook; several, separated by white space, while it is "
      + "replaced; mail.webhookSecretFile names a file that contains them",
    standard: [WebhookSecret](), isSecret: true
  ) { given throws(SettingFault) in try webhookSecrets(given.text) }

  /// While a secret is replaced, there are two.
  private static let maximumWebhookSecrets = 4

  private static func webhookSecrets(_ text: String) throws(SettingFault) -> [WebhookSecret] {
    var secrets: [WebhookSecret] = []
    for part in text.split(whereSeparator: \.isWhitespace) {
      guard let secret = WebhookSecret(Secret(String(part))) else {
        throw SettingFault("a secret is whsec_ and the base64 of 24 to 64 random bytes")
      }
      secrets.append(secret)
    }
    guard (1...maximumWebhookSecrets).contains(secrets.count) else {
      throw SettingFault("\(secrets.count) secrets are given, not 1 to \(maximumWebhookSecrets)")
    }
    return secrets
  }

  static let mailFrom = mailbox(
    "mail.from", "the sender of emails; without a name, the project's name is shown")
  static let mailReplyTo = mailbox("mail.replyTo", "where replies to emails go")
  static let mailUser = Setting<String?>(
    "mail.user", "name", "the user at the mail server", standard: nil
  ) { $0.text }
  static let mailPassword = Setting<Secret<String>?>(
    "mail.password", "text",
    "the user's password, or an access token for XOAUTH2; mail.passwordFile names a file that contains it",
    standard: nil, isSecret: true
  ) { Secret($0.text) }
  static let mailAuthentication = Setting(
    "mail.authentication", SMTPServer.Mechanism.allCases.map(\.rawValue).joined(separator: ", "),
    "the SASL mechanism of the sign-in at the mail server", standard: SMTPServer.Mechanism.plain,
    shown: SMTPServer.Mechanism.plain.rawValue
  ) { given throws(SettingFault) in
    guard let mechanism = SMTPServer.Mechanism(rawValue: given.text.uppercased()) else {
      let known = SMTPServer.Mechanism.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingFault("“\(given.text)” is not one of \(known)")
    }
    return mechanism
  }
  static let mailAuthorities = Setting.path(
    "mail.caFile", "PEM: the certificate authorities for the mail server, in place of the machine's"
  )

  enum AppleRelay: String, Sendable {
    case registered, unregistered
  }
  static let mailAppleRelay = Setting(
    "mail.appleRelay", "registered or unregistered",
    "whether the sender is registered with Apple; Apple's relay rejects mail of other senders",
    standard: AppleRelay.unregistered, shown: AppleRelay.unregistered.rawValue
  ) { given throws(SettingFault) in
    guard let relay = AppleRelay(rawValue: given.text.lowercased()) else {
      throw SettingFault("“\(given.text)” is neither registered nor unregistered")
    }
    return relay
  }

  private static func mailbox(_ key: String, _ meaning: String) -> Setting<Mailbox?> {
    Setting(key, "address, or Name <address>", meaning, standard: nil) {
      given throws(SettingFault) in
      do throws(MailboxFault) {
        return try Mailbox(setting: given.text)
      } catch {
        throw SettingFault("“\(given.text)” is no email address: \(error)")
      }
    }
  }

  static let tlsCertificate = Setting.path(
    "tls.certificate",
    "PEM: the server's certificate, then its issuers'; without it the server speaks plain HTTP")
  static let tlsKey = Setting.path("tls.key", "PEM: the certificate's private key, not encrypted")

  private static let limits = ConnectionLimits()
  static let connections = Setting.integer(
    "server.connections", in: 1...100_000,
    "the maximum of open connections; further connections wait", standard: limits.connections)
  static let connectionsPerAddress = Setting.integer(
    "server.connectionsPerAddress", in: 1...100_000,
    "the maximum of open connections from one address, except trusted proxies",
    standard: limits.connectionsPerAddress)
  static let requestSeconds = Setting.integer(
    "server.requestSeconds", in: 1...600,
    "how long a request may take to arrive. The connection is closed five seconds later",
    standard: limits.requestSeconds)
  static let responseSeconds = Setting.integer(
    "server.responseSeconds", in: 1...600, "how long a client may take to read a response",
    standard: limits.responseSeconds)
  static let trustedProxies = Setting<[IPNetwork]>(
    "server.trustedProxies", "networks, comma-separated",
    "proxies in front of the server, such as 10.0.0.0/8; it trusts the client address that they report",
    standard: []
  ) { given throws(SettingFault) in try IPNetwork.proxies(given.elements) }
  static let forwardedHeader = Setting(
    "server.forwardedHeader",
    TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: " or "),
    "the header that the trusted proxies write", standard: TrustedProxies().header,
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
    "log.level", "trace…critical", "the lowest level that is logged", standard: Logger.Level.info,
    shown: "info"
  ) { given throws(SettingFault) in
    guard let level = Logger.Level(rawValue: given.text) else {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingFault("“\(given.text)” is not one of \(known)")
    }
    return level
  }

  static let logFormat = Setting(
    "log.format", "text, json", "the form of the log: lines, or a JSON object in each line",
    standard: LogFormat.text, shown: "text"
  ) { given throws(SettingFault) in try choice(given) }
  static let logsRequests = flag("log.requests", "whether each request is logged")
  static let tracesEndpoint = Setting<OutboundURL?>(
    "traces.endpoint", "URL",
    "a collector that gets traces by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces; http:// only on this "
      + "machine",
    standard: nil
  ) { given throws(SettingFault) in
    guard let url = OutboundURL(given.text), url.isSecure || url.namesLoopback else {
      // It may contain a password.
      throw SettingFault("this is not an https URL, or one of this machine")
    }
    return url
  }
  static let tracesPercent = Setting.integer(
    "traces.percent", in: 1...100, "the percentage of traces that are recorded", standard: 100)
  static let clientAddresses = Setting(
    "log.clientAddresses", "none, truncated, full",
    "how much of clients' addresses is stored with sessions and events, and logged with requests; "
      + "truncated: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address",
    standard: ClientAddressForm.none, shown: "none"
  ) { given throws(SettingFault) in try choice(given) }
  static let eventRetentionDays = Setting.integer(
    "events.retentionDays", in: 1...36_500, "how long events stay in the event log", standard: 400)

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ given: Setting<Choice>.Given
  ) throws(SettingFault) -> Choice {
    guard let choice = Choice(rawValue: given.text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingFault("“\(given.text)” is not one of \(known)")
    }
    return choice
  }

  static let watchConnections = Setting.integer(
    "watch.connections", in: 0...90_000,
    "devices that may watch their accounts at once, at most nine tenths of server.connections; 0: none",
    shown: "half of server.connections")
  static let watchConnectionsPerAddress = Setting.integer(
    "watch.connectionsPerAddress", in: 1...90_000,
    "devices that may watch at once from one client address, also behind a trusted proxy",
    standard: WatchLimits().perAddress)

  static let passwordLogCost = Setting.integer(
    "passwords.logCost", in: 10...20, "log₂ of scrypt's cost for new hashes", standard: 15,
    inDevelopment: 10)
  static let passwordThreads = Setting.integer(
    "passwords.threads", in: 1...64, "threads that hash passwords",
    standard: min(max(ProcessInfo.processInfo.activeProcessorCount - 1, 1), 64),
    shown: "the number of cores minus 1; at least 1, at most 64")
  static let shutdownGraceSeconds = Setting.integer(
    "shutdown.graceSeconds", in: 1...300,
    "how long requests in progress may take after SIGTERM", standard: 20)

  static let all: [any DescribedSetting] = [
    host, port, data, database, postgresConnections, postgresWaitSeconds, publicURL, masterKey,
    masterKeyFile, vaultKeyCommand, metricsPort, metricsHost, simulatorPort, project, allowedHosts,
    exposesToNetwork, networkToken, unsignedTokens, console, links, providerBaseURL,
    appleDomainAssociation, appleChecksPerMinute,
    privateHosts,
    privateAuthorities, outboundSeconds, functionSeconds, mailServer, mailWebhook,
    mailWebhookSecret, mailFrom, mailReplyTo, mailUser, mailPassword, mailAuthentication,
    mailAuthorities, mailAppleRelay, tlsCertificate, tlsKey, connections, connectionsPerAddress,
    requestSeconds, responseSeconds, trustedProxies, forwardedHeader, logLevel, logFormat,
    logsRequests, tracesEndpoint,
    tracesPercent,
    clientAddresses, eventRetentionDays, watchConnections, watchConnectionsPerAddress,
    passwordLogCost, passwordThreads, shutdownGraceSeconds,
  ]

  /// The OpenID Connect provider of `--dev`, at the simulator.
  static let simulatorProvider = "oidc.simulator"

  /// The URL of a `--dev` server with the default host and port. The simulator's is below.
  static let developmentURL = "http://\(host.standard):\(port.standard)"
  static let simulatorURL = simulatorURL(port: simulatorPort.standard)

  static func simulatorURL(host: String = "127.0.0.1", port: Int) -> String {
    "http://\(host):\(port)"
  }

  /// Warnings about environment variables that begin with `GATEHOUSE_` and belong to no setting.
  ///
  /// They are ignored, because other programs use the environment too.
  static func unknownVariables(in environment: [String: String]) -> [String] {
    let known = Set(
      all.flatMap { [$0.environmentName, $0.fileEnvironmentName].compactMap(\.self) })
    let others = Set(RemoteVariables.all + ["GATEHOUSE_CONFIG"])
    return environment.keys.filter {
      $0.hasPrefix("GATEHOUSE_") && !known.contains($0) && !others.contains($0)
    }.sorted()
      .map {
        "there is no setting for the environment variable \($0): it is ignored. `gatehouse serve "
          + "--list-settings` lists the settings"
      }
  }
}

extension IPNetwork {
  /// Networks of proxies. A network that contains every address is refused.
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
          "“\(text)” contains every address, so any client could claim any address: name your "
            + "proxies' own addresses")
      }
    }
    guard faults.isEmpty else { throw SettingFault(faults) }
    return networks
  }
}
