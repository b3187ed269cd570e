import Foundation
import GatehouseAPI
import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseOperation
import Logging

/// The checks of `doctor`, one after the other.
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
      return (nil, [Finding("master key", .failed(remedy: MasterKeySource.remedy), "\(error)")])
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
      let database = try await OpenDatabase.open(
        place, requiring: mode, making: nil)
      let findings = await outside(of: database)
      await database.store.close()
      return findings
    } catch {
      return [Finding("database", .failed(remedy: "Do what the message says."), "\(error)")]
    }
  }

  private func outside(of database: OpenDatabase) async -> [Finding] {
    let outbound = configuration.outbound()
    let clock = DatedTransport(outbound)
    var findings: [Finding] = []
    do {
      var logger = Logger(label: "gatehouse.doctor")
      logger.logLevel = .critical
      let federation = try configuration.federation(clock, logger: logger)
      let projects = try await database.store.read { try $0.projects() }
      if projects.isEmpty {
        findings.append(
          Finding("projects", .failed(remedy: "gatehouse projects create ID"), "there is none"))
      }
      findings.append(
        OutboxCheck.finding(try await database.store.read { try $0.countOutbox() }, now: Date()))
      for project in projects {
        findings += try await providers(of: project, federation, database)
        let webhook = try await database.store.read { try $0.codeWebhook(of: project.id) }
        findings += PhoneNumberCheck.findings(
          of: project, webhook: webhook, isDevelopment: configuration.isDevelopment)
        findings += BlockingFunctionCheck.findings(of: project)
        findings += try await publicURL(of: project, database)
      }
    } catch {
      findings.append(
        Finding("providers", .failed(remedy: "Do what the message says."), "\(error)"))
    }
    await outbound.shutdown()
    return findings + ClockCheck.findings(clock.answers)
  }

  private func providers(
    of project: Project, _ federation: Federation, _ database: OpenDatabase
  ) async throws -> [Finding] {
    let providers = try await database.store.read { try $0.providersWithApps(in: project.id) }
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
  private func publicURL(
    of project: Project, _ database: OpenDatabase
  ) async throws -> [Finding] {
    guard let url = configuration.publicURL, let host = URLComponents(string: url)?.host else {
      return []
    }
    let records = try await database.store.read { try $0.signingKeys(of: .idTokens) }
    let active = records.first { $0.activatedAt != nil && $0.retiredAt == nil }
    let outbound = OutboundClient(
      rule: OutboundRule(privateHosts: [host], allowsLoopback: LoopbackName.isLoopback(host)),
      clock: { Date() })
    let findings = await PublicURLCheck(url, transport: outbound)
      .findings(for: project, keyID: active?.keyID)
    await outbound.shutdown()
    return findings
  }
}
