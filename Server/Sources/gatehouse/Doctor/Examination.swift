import Foundation
import GatehouseServer
import GatehouseProtocol
import Logging

/// The checks of `doctor`, one after the other. They change nothing.
struct Examination {
  private let configuration: ServerConfiguration
  private let isOffline: Bool

  init(_ configuration: ServerConfiguration, isOffline: Bool) {
    self.configuration = configuration
    self.isOffline = isOffline
  }

  private var place: DataPlace { configuration.data }
  private var folder: String { place.folder }

  func findings() async -> [Finding] {
    let (keys, keyFindings) = masterKeys()
    var findings =
      keyFindings + place.engine.fileFindings() + certificate() + ports() + [descriptors()]
    if !configuration.isDevelopment { findings.append(MailCheck.finding(configuration.mail)) }
    let database = place.engine.findings(mode: mode, keys: keys)
    findings += database.findings
    guard database.hasDatabase else { return findings }
    guard let keys, !isOffline else { return findings }
    return findings + (await outside(keys))
  }

  private var mode: OpenDatabase.Mode {
    configuration.isDevelopment ? .development : .production
  }

  // MARK: This machine

  private func masterKeys() -> (MasterKeyRing?, [Finding]) {
    do {
      let keys = try place.masterKeys()
      guard let file = place.keyFile else {
        return (keys, [])
      }
      return (keys, FileCheck.findings("master key file", file, owner: geteuid()))
    } catch {
      return (
        nil, [Finding("master key", .failed(remedy: "Do what the message says."), "\(error)")]
      )
    }
  }

  /// The settings' check finds out whether the files can be used; the public URL's check, whether
  /// the certificate is for that name.
  private func certificate() -> [Finding] {
    configuration.certificate.map {
      [CertificateCheck.finding(expiresAt: $0.expiresAt, now: Date())]
    } ?? []
  }

  private func ports() -> [Finding] {
    let servers = ServingMark.running(in: folder).map(\.process)
    let ports: [(port: Int?, flag: String)] = [
      (configuration.port, Settings.port.flag),
      (configuration.metricsPort, Settings.metricsPort.flag),
      (configuration.simulatorPort, Settings.simulatorPort.flag),
    ]
    return ports.compactMap { port, flag in
      port.map {
        PortCheck.finding(port: $0, flag: flag, servers: servers)
      }
    }
  }

  private func descriptors() -> Finding {
    var limit = rlimit()
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return RoomCheck.descriptors(limit: UInt64(limit.rlim_cur))
  }

  // MARK: Other machines

  private func outside(_ keys: MasterKeyRing) async -> [Finding] {
    do {
      let found = try await OpenDatabase.read(place, keys, requiring: mode) {
        try Records(reading: $0)
      }
      guard let records = found else { return [Self.unread] }
      return await outside(records)
    } catch {
      return [Finding("database", .failed(remedy: "Do what the message says."), "\(error)")]
    }
  }

  /// Reading them would need the migration.
  private static let unread = Finding(
    "projects",
    .warning(
      remedy: "Start the server or run `gatehouse migrate`: both migrate the tables. Then run "
        + "doctor again."),
    "not checked, and neither are the outbox and the clock: the tables are behind this version")

  private func outside(_ records: Records) async -> [Finding] {
    let outbound = configuration.outbound()
    let clock = DatedTransport(outbound)
    var findings: [Finding] = []
    do {
      var logger = Logger(label: "gatehouse.doctor")
      logger.logLevel = .critical
      let federation = try configuration.federation(clock, logger: logger)
      if records.projects.isEmpty {
        findings.append(
          Finding("projects", .failed(remedy: "gatehouse projects create ID"), "there is none"))
      }
      findings.append(OutboxCheck.finding(records.outbox, now: Date()))
      for (project, providers, webhook) in records.projects {
        findings += await check(providers, of: project, federation)
        findings += PhoneNumberCheck.findings(
          of: project, webhook: webhook, isDevelopment: configuration.isDevelopment)
        findings += BlockingFunctionCheck.findings(of: project)
        findings += await publicURL(of: project, keyID: records.idTokenKeyID)
      }
    } catch {
      findings.append(
        Finding("providers", .failed(remedy: "Do what the message says."), "\(error)"))
    }
    return findings + ClockCheck.findings(clock.answers)
  }

  private func check(
    _ providers: [ProviderConfiguration], of project: Project, _ federation: Federation
  ) async -> [Finding] {
    var findings =
      [
        ConsentCheck.finding(for: project, providers: providers),
        TokenAlgorithmCheck.finding(for: project),
      ].compactMap(\.self)
    for provider in providers {
      findings += await federation.diagnose(provider, now: Date()).map { finding in
        var finding = finding
        finding.check = "\(project.id) \(provider.id.text) \(finding.check)"
        return finding
      }
    }
    return findings
  }

  /// The public URL may lead to a private address: it is the operator's own server.
  private func publicURL(of project: Project, keyID: String?) async -> [Finding] {
    guard let url = configuration.publicURL, let host = URLComponents(string: url)?.host else {
      return []
    }
    let outbound = OutboundClient(
      rule: OutboundRule(privateHosts: [host], allowsLoopback: LoopbackName.isLoopback(host)),
      authorities: configuration.privateAuthorities, clock: { Date() })
    return await PublicURLCheck(url, transport: outbound).findings(for: project, keyID: keyID)
  }
}

/// What the checks need of the database, as it was at one moment.
private struct Records {
  let projects: [(Project, [ProviderConfiguration], CodeWebhook?)]
  let outbox: [OutboxCount]
  /// The id of the key that signs ID tokens.
  let idTokenKeyID: String?

  init(reading transaction: Transaction) throws {
    projects = try transaction.projects().filter { !$0.id.isConsole }.map { project in
      (
        project, try transaction.providersWithApps(in: project.id),
        try transaction.codeWebhook(of: project.id)
      )
    }
    outbox = try transaction.countOutbox()
    idTokenKeyID = try transaction.signingKeys(of: .idTokens).first {
      $0.activatedAt != nil && $0.retiredAt == nil
    }?.keyID
  }
}
