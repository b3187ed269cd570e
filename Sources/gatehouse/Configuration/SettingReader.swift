import Foundation
import GatehouseAPI
import GatehouseFederation
import GatehouseModel
import Logging

/// Reads settings by type and collects what is wrong with them.
struct SettingReader {
  private let sources: SettingSources
  private(set) var faults: [String]

  init(_ sources: SettingSources, faults: [String]) {
    self.sources = sources
    self.faults = faults
  }

  /// What commands beside `serve` read: their own flags by setting key, then the environment.
  init(flags: [String: String?]) {
    var faults: [String] = []
    let sources = SettingSources(
      flags: flags.compactMapValues(\.self), assignments: [],
      environment: ProcessInfo.processInfo.environment, file: nil, faults: &faults)
    self.init(sources, faults: faults)
  }

  mutating func fault(_ text: String) { faults.append(text) }

  mutating func text(_ key: String) -> String? {
    guard let value = sources[key] else { return nil }
    if value.text.isEmpty {
      faults.append("\(value.origin): is empty")
      return nil
    }
    return value.text
  }

  mutating func dataFolder() -> String { text("data") ?? "gatehouse-data" }

  mutating func integer(_ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value = sources[key] else { return nil }
    guard let number = Int(value.text), range.contains(number) else {
      faults.append(
        "\(value.origin): “\(value.text)” is not a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
      return nil
    }
    return number
  }

  func list(_ key: String) -> [String] {
    (sources[key]?.text ?? "").split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  mutating func publicURL(isDevelopment: Bool) -> String? {
    guard let value = sources["publicURL"] else {
      if !isDevelopment {
        faults.append(
          "the public URL is missing: it is the issuer of every token. Give --public-url "
            + "https://auth.example.com, or GATEHOUSE_PUBLIC_URL")
      }
      return nil
    }
    guard let components = URLComponents(string: value.text),
      let host = components.host, !host.isEmpty,
      components.query == nil, components.fragment == nil, components.user == nil,
      components.scheme == "https"
        || components.scheme == "http" && LoopbackName.isLoopback(host)
    else {
      faults.append(
        "\(value.origin): “\(value.text)” is not an https URL without query, such as "
          + "https://auth.example.com (http is for loopback only)")
      return nil
    }
    let url = value.text.hasSuffix("/") ? String(value.text.dropLast()) : value.text
    guard Self.isPlain(path: URLComponents(string: url)?.percentEncodedPath ?? "") else {
      faults.append(
        "\(value.origin): “\(value.text)” has a path of more than names between slashes, such as "
          + "https://example.com/auth: browsers and proxies would read it differently")
      return nil
    }
    return url
  }

  /// Whether a path, which a proxy is to take off, is names of letters, digits, `-`, `_` and `.`, none
  /// of them empty or dots alone.
  private static func isPlain(path: String) -> Bool {
    guard !path.isEmpty else { return true }
    return path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { name in
        !name.isEmpty && !name.allSatisfy { $0 == "." }
          && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      }
  }

  mutating func providerBaseURLs(isDevelopment: Bool) -> ProviderBaseURLs {
    var urls: ProviderBaseURLs = [:]
    for kind in IdentityProviders.builtIn {
      urls[kind.name] = providerURL(kind.baseURLSetting, isDevelopment: isDevelopment)
    }
    return urls
  }

  private mutating func providerURL(_ key: String, isDevelopment: Bool) -> String? {
    guard let value = sources[key] else { return nil }
    let components = URLComponents(string: value.text)
    let isAllowed =
      components?.scheme == "https"
      || isDevelopment && components?.scheme == "http"
        && LoopbackName.isLoopback(components?.host ?? "")
    guard isAllowed, components?.host?.isEmpty == false else {
      faults.append(
        "\(value.origin): “\(value.text)” must be https"
          + (isDevelopment ? ", or http to loopback" : ""))
      return nil
    }
    return value.text.hasSuffix("/") ? String(value.text.dropLast()) : value.text
  }

  /// Nil, with a fault, if what was given is no project id.
  mutating func project(otherwise standard: String) -> ProjectID? {
    let value = sources["project"]
    let project = ProjectID(value?.text ?? standard)
    if project == nil {
      faults.append(
        "\(value?.origin ?? "project"): no project id: a lower-case letter, then 2 to 62 of a–z, "
          + "0–9 and -")
    }
    return project
  }

  mutating func connectionLimits() -> ConnectionLimits {
    var limits = ConnectionLimits()
    let range = 1...100_000
    limits.connections = integer("server.connections", in: range) ?? limits.connections
    limits.connectionsPerAddress =
      integer("server.connectionsPerAddress", in: range) ?? limits.connectionsPerAddress
    limits.idleSeconds = integer("server.idleSeconds", in: 1...3600) ?? limits.idleSeconds
    limits.requestSeconds = integer("server.requestSeconds", in: 1...600) ?? limits.requestSeconds
    limits.responseSeconds =
      integer("server.responseSeconds", in: 1...600) ?? limits.responseSeconds
    return limits
  }

  mutating func outboundLimits() -> OutboundClient.Limits {
    var limits = OutboundClient.Limits()
    if let seconds = integer("outbound.seconds", in: 1...60) { limits.duration = .seconds(seconds) }
    return limits
  }

  /// A company's own authorities, with a fault if the file holds none.
  mutating func privateAuthorities() -> PrivateAuthorities {
    guard let value = sources["outbound.caFile"] else { return PrivateAuthorities() }
    do {
      return try PrivateAuthorities(file: value.text)
    } catch {
      faults.append(
        "\(value.origin): “\(value.text)” can't be read, or holds no certificate in PEM")
      return PrivateAuthorities()
    }
  }

  /// Nil without one, and with a fault if the files can't serve.
  mutating func certificate() -> TLSCertificate? {
    switch (sources["tls.certificate"], sources["tls.key"]) {
    case (nil, nil): return nil
    case (let given?, nil):
      faults.append("\(given.origin) is given without its key: give tls.key too")
    case (nil, let given?):
      faults.append("\(given.origin) is given without its certificate: give tls.certificate too")
    case (let certificate?, let key?):
      do {
        return try TLSCertificate(certificateFile: certificate.text, keyFile: key.text)
      } catch {
        faults.append("\(error)")
      }
    }
    return nil
  }

  /// The text of a file that is published, so no more than one of Apple's can be.
  mutating func appleDomainAssociation() -> String? {
    guard let value = sources["apple.domainAssociationFile"] else { return nil }
    let maximumBytes = 65_536
    guard let file = FileHandle(forReadingAtPath: value.text) else {
      faults.append("\(value.origin): \(value.text) can't be read")
      return nil
    }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: maximumBytes + 1), data.count <= maximumBytes,
      let text = String(validating: data, as: UTF8.self)
    else {
      faults.append(
        "\(value.origin): \(value.text) is not the file that Apple gives: a text of at most 64 KiB")
      return nil
    }
    return text
  }

  mutating func trustedProxies() -> TrustedProxies {
    var proxies = TrustedProxies()
    let origin = sources["server.trustedProxies"]?.origin ?? ""
    for text in list("server.trustedProxies") {
      if let network = IPNetwork(text) {
        proxies.networks.append(network)
        guard network.isEverything else { continue }
        faults.append(
          "\(origin): “\(text)” is everybody, and anybody could claim any address: name your "
            + "proxies' own addresses")
      } else {
        faults.append(
          "\(origin): “\(text)” is neither an address nor a network such as 10.0.0.0/8")
      }
    }
    if let value = sources["server.forwardedHeader"] {
      let known = TrustedProxies.Header.allCases
      if let header = known.first(where: { $0.rawValue.lowercased() == value.text.lowercased() }) {
        proxies.header = header
      } else {
        faults.append(
          "\(value.origin): “\(value.text)” is neither X-Forwarded-For nor Forwarded")
      }
    }
    return proxies
  }

  mutating func logLevel() -> Logger.Level {
    guard let value = sources["log.level"] else { return .info }
    guard let level = Logger.Level(rawValue: value.text) else {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      faults.append("\(value.origin): “\(value.text)” is none of \(known)")
      return .info
    }
    return level
  }

  mutating func masterKey() -> MasterKeySource {
    if let text = sources["masterKey"], let file = sources["masterKeyFile"] {
      faults.append("both \(text.origin) and \(file.origin) are given; give one")
    }
    return MasterKeySource(
      text: sources["masterKey"].map { Secret($0.text) }, file: sources["masterKeyFile"]?.text)
  }
}
