import Foundation
import GatehouseServer
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Loads a renewed certificate: at once on SIGHUP, and otherwise within a minute. Warns once a day if it
/// isn't renewed in time.
final class CertificateRenewal: Service {
  let certificate: TLSCertificate
  let logger: Logger

  private static let secondsBetweenLooks = 60
  private let reminder = Mutex(ExpiryReminder())

  init(certificate: TLSCertificate, logger: Logger) {
    self.certificate = certificate
    self.logger = logger
  }

  func run() async throws {
    warnOfExpiry()
    await cancelWhenGracefulShutdown {
      await withDiscardingTaskGroup { group in
        group.addTask {
          for await _ in await UnixSignalsSequence(trapping: .sighup) { self.look() }
        }
        group.addTask {
          while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(Self.secondsBetweenLooks))
            self.look()
          }
        }
      }
    }
  }

  private func look() {
    defer { warnOfExpiry() }
    do {
      guard try certificate.reload() else { return }
      logger.notice(
        "the TLS certificate was renewed",
        metadata: ["expires": "\(certificate.expiresAt.ISO8601Format())"])
    } catch {
      logger.error(
        "the former TLS certificate stays in use: the files can't be used",
        metadata: ["error": "\(error)"])
    }
  }

  private func warnOfExpiry() {
    let expiry = certificate.expiresAt
    guard reminder.withLock({ $0.isDue(expiry: expiry, now: Date()) }) else { return }
    logger.warning(
      "the TLS certificate expires soon, or has expired: renew it",
      metadata: ["expires": "\(expiry.ISO8601Format())"])
  }
}

/// When to warn of a certificate that isn't renewed: in its last seven days and afterwards, once a day.
struct ExpiryReminder {
  /// A certificate that isn't renewed this long before its expiry probably won't be renewed in time.
  private static let warningSeconds: TimeInterval = 7 * 86_400
  private static let secondsBetweenWarnings: TimeInterval = 86_400
  private var last = Date.distantPast

  mutating func isDue(expiry: Date, now: Date) -> Bool {
    guard expiry.timeIntervalSince(now) < Self.warningSeconds,
      now.timeIntervalSince(last) >= Self.secondsBetweenWarnings
    else { return false }
    last = now
    return true
  }
}
