import Foundation

/// Why there is no complete response.
package struct ExchangeFault: Error, Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    /// The device has no network, or the app may not use it.
    case offline
    case timedOut
    case cannotConnect
    case secureConnectionFailed
    /// The connection ended before the response was complete.
    case lost
    /// The connection ended, and no HTTP head had arrived.
    case noAnswer
    /// The response is longer than ``ExchangeRequest/maximumBytes``. For a stream: its reader is
    /// too slow, so that more is unread.
    case tooLong
    /// The caller's task was cancelled, or the ``ExchangeSession`` was released.
    case cancelled
    case other
  }

  package var kind: Kind
  package var detail: String

  package init(_ kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// Converts an error of a `URLSession`.
  ///
  /// - Parameter afterHead: Whether the response had begun. If so, an unknown error means that the
  ///   rest was lost.
  init(_ error: any Error, afterHead: Bool) {
    guard let error = error as? URLError else {
      self.init(.other, detail: "\(type(of: error))")
      return
    }
    let kind = Kind(error.code)
    self.init(afterHead && kind == .other ? .lost : kind, detail: error.localizedDescription)
  }
}

extension ExchangeFault.Kind {
  init(_ code: URLError.Code) {
    self =
      switch code {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
        .offline
      case .timedOut: .timedOut
      case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed: .cannotConnect
      case .networkConnectionLost, .badServerResponse, .zeroByteResource: .lost
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection:
        .secureConnectionFailed
      case .cancelled: .cancelled
      default: .other
      }
  }
}
