import GatehouseFederation

/// A server-wide setting: its key, what it takes, and what happens without it.
struct Setting: Sendable {
  let key: String
  /// What a value looks like, with its unit.
  let form: String
  let meaning: String

  static let all: [Setting] =
    [
      Setting(key: "host", form: "address", meaning: "where to listen; 127.0.0.1"),
      Setting(key: "port", form: "0…65535", meaning: "0 takes a free port; 9099"),
      Setting(key: "data", form: "folder", meaning: "where the database is; ./gatehouse-data"),
      Setting(
        key: "publicURL", form: "https URL",
        meaning: "where clients reach the server; needed in production"),
      Setting(
        key: "masterKey", form: "base64 of 32 bytes",
        meaning: "encrypts what is secret in the database; better in the environment or a file"),
      Setting(
        key: "masterKeyFile", form: "file, mode 0600", meaning: "holds the master key"),
      Setting(
        key: "metricsPort", form: "0…65535",
        meaning: "Prometheus metrics; 0 takes a free port; none without it"),
      Setting(
        key: "metricsHost", form: "address",
        meaning: "where metrics listen, which anybody who reaches it may read; 127.0.0.1"),
      Setting(
        key: "simulatorPort", form: "0…65535",
        meaning: "--dev: the simulated providers; 0 for none; 9100"),
      Setting(key: "project", form: "project id", meaning: "--dev: what any API key names; demo"),
      Setting(
        key: "dev.allowedHosts", form: "names, comma-separated",
        meaning: "--dev: values of Host accepted beside loopback's"),
    ]
    + IdentityProviders.builtIn.map { kind in
      Setting(
        key: kind.baseURLSetting, form: "URL", meaning: "what stands in for \(kind.displayName)")
    } + [
      Setting(
        key: "apple.domainAssociationFile", form: "file",
        meaning:
          "what Apple gives to show whose the host is: apple-developer-domain-association.txt"),
      Setting(
        key: "outbound.privateHosts", form: "names, comma-separated",
        meaning: "hosts whose private addresses may be connected to"),
      Setting(
        key: "outbound.caFile", form: "file",
        meaning: "PEM: certificate authorities to trust besides the machine's, for providers"),
      Setting(
        key: "outbound.seconds", form: "1…60",
        meaning: "how long a call to a provider may take, from look-up to answer; 5"),
      Setting(
        key: "tls.certificate", form: "file",
        meaning: "PEM: the server's certificate and its issuers'; without it plain http"),
      Setting(key: "tls.key", form: "file", meaning: "PEM: the certificate's key, unencrypted"),
      Setting(
        key: "server.connections", form: "1…100000",
        meaning: "open at once; who comes then waits; 2048"),
      Setting(
        key: "server.connectionsPerAddress", form: "1…100000",
        meaning: "open at once from one address, trusted proxies excepted; 256"),
      Setting(
        key: "server.idleSeconds", form: "1…3600",
        meaning: "how long a connection may wait for its next request; 120"),
      Setting(
        key: "server.requestSeconds", form: "1…600",
        meaning: "how long a request may take to arrive; 20"),
      Setting(
        key: "server.responseSeconds", form: "1…600",
        meaning: "how long a client may take to read a response; 60"),
      Setting(
        key: "server.trustedProxies", form: "networks, comma-separated",
        meaning: "proxies in front, such as 10.0.0.0/8, whose word on a client's address is taken"),
      Setting(
        key: "server.forwardedHeader", form: "X-Forwarded-For or Forwarded",
        meaning: "the header that those proxies write; X-Forwarded-For"),
      Setting(key: "log.level", form: "trace…critical", meaning: "info"),
      Setting(
        key: "passwords.logCost", form: "10…20",
        meaning: "log₂ of scrypt's cost for new hashes; 15, in --dev 10"),
      Setting(
        key: "passwords.threads", form: "1…64", meaning: "threads that hash; one less than cores"),
      Setting(
        key: "shutdown.graceSeconds", form: "1…300",
        meaning: "how long requests under way may take after SIGTERM; 20"),
    ]

  /// Whether its value is shown to nobody.
  var isSecret: Bool { key == "masterKey" }

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

  /// `providers.apple.baseURL` → `GATEHOUSE_PROVIDERS_APPLE_BASE_URL`.
  var environmentName: String {
    var name = "GATEHOUSE_"
    var previousIsLowercase = false
    for character in key {
      if character == "." {
        name.append("_")
      } else {
        if previousIsLowercase && character.isUppercase { name.append("_") }
        name.append(contentsOf: character.uppercased())
      }
      previousIsLowercase = character.isLowercase
    }
    return name
  }
}
