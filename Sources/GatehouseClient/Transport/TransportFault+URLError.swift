import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportFault {
  /// Converts an error of a `URLSession`.
  ///
  /// - Parameter afterHead: Whether the answer had begun. Then an unknown error means that the rest
  ///   was lost.
  init(_ error: any Error, afterHead: Bool) {
    guard let error = error as? URLError else {
      self = .network(NetworkFault(.other, detail: "\(type(of: error))"))
      return
    }
    if error.code == .cancelled {
      self = .cancelled
    } else {
      let kind = NetworkFault.Kind(error.code)
      self = .network(
        NetworkFault(
          afterHead && kind == .other ? .lost : kind, detail: error.localizedDescription))
    }
  }
}

extension NetworkFault.Kind {
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
      default: .other
      }
  }
}
