package import Foundation
package import GatehouseFederation

/// Whether the server's own TLS certificate is good for some time yet.
package enum CertificateCheck {
  /// Renewed a month before its end, as is usual, a certificate never comes so near to it.
  private static let strangeDays = 14
  private static let remedy =
    "Renew it (certbot renew); a running server takes the new files over within a minute."

  /// - Parameter expiresAt: Of the certificate in the files: a server that runs may hold another.
  package static func finding(expiresAt: Date, now: Date) -> Finding {
    let date = expiresAt.formatted(.iso8601)
    let days = Int((expiresAt.timeIntervalSince(now) / 86_400).rounded(.down))
    if expiresAt <= now {
      return Finding("TLS certificate", .failed(remedy: remedy), "expired at \(date)")
    }
    let detail = "good until \(date), \(days) days"
    return days < strangeDays
      ? Finding("TLS certificate", .warning(remedy: remedy), detail)
      : Finding("TLS certificate", .ok, detail)
  }
}
