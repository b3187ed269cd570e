import Foundation
import GatehouseServer
import GatehouseProtocol

/// Reads settings, and collects their faults.
struct SettingReader {
  private let sources: SettingSources
  private let isDevelopment: Bool
  private(set) var faults: [String]

  init(_ sources: SettingSources, isDevelopment: Bool, faults: [String]) {
    self.sources = sources
    self.isDevelopment = isDevelopment
    self.faults = faults
  }

  /// For commands other than `serve`: reads their own flags, then the environment.
  init(flags: [String: String?], isDevelopment: Bool = false) {
    var faults: [String] = []
    let sources = SettingSources(
      flags: flags.compactMapValues(\.self), assignments: [],
      environment: ProcessInfo.processInfo.environment, file: nil, faults: &faults)
    self.init(sources, isDevelopment: isDevelopment, faults: faults)
  }

  func isGiven(_ setting: any DescribedSetting) -> Bool {
    sources[setting] != nil || sources.file(of: setting) != nil
  }

  mutating func fault(_ text: String) { faults.append(text) }

  /// The given value, or the default if there is none or if it has a fault.
  mutating func read<Value>(_ setting: Setting<Value>) -> Value {
    let standard = setting.standard(isDevelopment: isDevelopment)
    guard let given = given(setting) else { return standard }
    do throws(SettingFault) {
      return try setting.value(.init(text: given.text, isDevelopment: isDevelopment))
    } catch {
      faults += error.texts.map { "\(given.origin): \($0)" }
      return standard
    }
  }

  /// What was given for a setting. A secret may be in a file.
  private mutating func given(_ setting: any DescribedSetting) -> SettingSources.Value? {
    let direct = sources[setting]
    guard let fileKey = setting.fileKey, let file = sources.file(of: setting) else { return direct }
    guard direct == nil else {
      fault("both \(setting.key) and \(fileKey) are given; give only one")
      return direct
    }
    guard let text = try? String(contentsOfFile: file.text, encoding: .utf8) else {
      fault("\(fileKey): “\(file.text)” can't be read")
      return nil
    }
    // Editors end a file with a line break. `\r\n` is one character, which differs from `\n`.
    return SettingSources.Value(
      text: text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text,
      origin: file.origin)
  }

  /// The public URL. A production server requires it: records a fault if it is missing.
  mutating func requiredPublicURL() -> String? {
    if sources[Settings.publicURL] == nil {
      faults.append(
        "the public URL is missing: the issuer of every token begins with it. Give "
          + "\(Settings.publicURL.flag) https://auth.example.com, or "
          + Settings.publicURL.environmentName)
    }
    return read(Settings.publicURL)
  }

  mutating func connectionLimits() -> ConnectionLimits {
    var limits = ConnectionLimits()
    limits.connections = read(Settings.connections)
    limits.connectionsPerAddress = read(Settings.connectionsPerAddress)
    limits.requestSeconds = read(Settings.requestSeconds)
    limits.responseSeconds = read(Settings.responseSeconds)
    return limits
  }

  /// Watchers hold their connections. A tenth of the connections stays free for other requests.
  mutating func watchLimits(connections: Int) -> WatchLimits {
    var limits = WatchLimits()
    let most = WatchLimits.most(of: connections)
    let given = read(Settings.watchConnections)
    if let given, given > most {
      fault(
        "\(Settings.watchConnections.key) \(given): a tenth of \(Settings.connections.key) "
          + "(\(connections)) has to stay free for other requests. Set \(Settings.connections.key) to "
          + "\(given + given / 9 + 1) at least, or \(Settings.watchConnections.key) to \(most) at most"
      )
    }
    limits.watchers = given ?? connections / 2
    limits.perAddress = read(Settings.watchConnectionsPerAddress)
    return limits
  }

  mutating func outboundLimits() -> OutboundClient.Limits {
    var limits = OutboundClient.Limits()
    limits.duration = .seconds(read(Settings.outboundSeconds))
    return limits
  }

  mutating func trustedProxies() -> TrustedProxies {
    TrustedProxies(
      networks: read(Settings.trustedProxies), header: read(Settings.forwardedHeader))
  }

  /// Nil if no certificate is given, or, with a fault, if its files can't be used.
  mutating func certificate() -> TLSCertificate? {
    switch (sources[Settings.tlsCertificate], sources[Settings.tlsKey]) {
    case (nil, nil): return nil
    case (let given?, nil):
      faults.append(
        "\(given.origin) is given without its key: give \(Settings.tlsKey.key) too")
    case (nil, let given?):
      faults.append(
        "\(given.origin) is given without its certificate: give \(Settings.tlsCertificate.key) too")
    case (let certificate?, let key?):
      do {
        return try TLSCertificate(certificateFile: certificate.text, keyFile: key.text)
      } catch {
        faults.append("\(error)")
      }
    }
    return nil
  }

  mutating func masterKey() -> MasterKeySource {
    if let text = sources[Settings.masterKey], let file = sources[Settings.masterKeyFile] {
      faults.append("both \(text.origin) and \(file.origin) are given; give only one")
    }
    return MasterKeySource(
      text: read(Settings.masterKey), file: read(Settings.masterKeyFile),
      vault: read(Settings.vaultKeyCommand).map { VaultKeyCommand(command: $0) })
  }
}

extension SettingReader {
  /// The public URL of a server, for a command that doesn't start it.
  ///
  /// - Throws: ``ConfigurationFaults``.
  static func publicURL(flag: String?) throws(ConfigurationFaults) -> String {
    var reader = SettingReader(flags: [Settings.publicURL.key: flag])
    guard let url = reader.requiredPublicURL() else {
      throw ConfigurationFaults(faults: reader.faults)
    }
    return url
  }
}
