import Foundation
import GatehouseAPI
import Logging
import ServiceLifecycle
import UnixSignals

/// Loads a renewed certificate: at once on SIGHUP, and otherwise within a minute.
struct CertificateRenewal: Service {
  let certificate: TLSCertificate
  let logger: Logger

  private static let secondsBetweenLooks = 60
  /// A certificate that isn't renewed this long before its expiry probably won't be renewed in
  /// time.
  private static let warningSeconds: TimeInterval = 7 * 86_400

  func run() async throws {
    warnOfExpiry()
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await _ in await UnixSignalsSequence(trapping: .sighup) { look() }
        }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Self.secondsBetweenLooks))
            look()
          }
        }
      }
    }
  }

  private func look() {
    do {
      guard try certificate.reload() else { return }
      logger.notice(
        "the TLS certificate was renewed",
        metadata: ["expires": "\(certificate.expiresAt.ISO8601Format())"])
      warnOfExpiry()
    } catch {
      logger.error(
        "the former TLS certificate stays in use: the files can't be used",
        metadata: ["error": "\(error)"])
    }
  }

  private func warnOfExpiry() {
    guard certificate.expiresAt.timeIntervalSinceNow < Self.warningSeconds else { return }
    logger.warning(
      "the TLS certificate expires soon, or has expired: renew it",
      metadata: ["expires": "\(certificate.expiresAt.ISO8601Format())"])
  }
}
