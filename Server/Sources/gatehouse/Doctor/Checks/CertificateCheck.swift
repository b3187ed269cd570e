import Foundation
import GatehouseServer

/// Checks that the server's own TLS certificate is valid for some time yet.
enum CertificateCheck {
  /// Certificates are usually renewed a month before they expire. If fewer days are left, the renewal
  /// has probably failed.
  private static let strangeDays = 14
  private static let remedy =
    "Renew it (certbot renew); a running server loads the new files within a minute."

  /// - Parameter expiresAt: When the certificate in the files expires. A running server may use
  ///   another one.
  static func finding(expiresAt: Date, now: Date) -> Finding {
    let date = expiresAt.formatted(.iso8601)
    let days = Int((expiresAt.timeIntervalSince(now) / 86_400).rounded(.down))
    if expiresAt <= now {
      return Finding("TLS certificate", .failed(remedy: remedy), "expired at \(date)")
    }
    let detail = "valid until \(date), \(days) days"
    return days < strangeDays
      ? Finding("TLS certificate", .warning(remedy: remedy), detail)
      : Finding("TLS certificate", .ok, detail)
  }
}
