import Foundation
import Testing

@testable import GatehouseURLSession

@Suite struct ExchangeFaultTests {
  private struct Strange: Error {}

  @Test(
    arguments: [
      (.notConnectedToInternet, .offline), (.dataNotAllowed, .offline),
      (.internationalRoamingOff, .offline), (.callIsActive, .offline), (.timedOut, .timedOut),
      (.cannotConnectToHost, .cannotConnect), (.cannotFindHost, .cannotConnect),
      (.dnsLookupFailed, .cannotConnect), (.networkConnectionLost, .lost),
      (.badServerResponse, .lost), (.zeroByteResource, .lost),
      (.secureConnectionFailed, .secureConnectionFailed),
      (.serverCertificateHasBadDate, .secureConnectionFailed),
      (.serverCertificateUntrusted, .secureConnectionFailed),
      (.serverCertificateHasUnknownRoot, .secureConnectionFailed),
      (.serverCertificateNotYetValid, .secureConnectionFailed),
      (.clientCertificateRejected, .secureConnectionFailed),
      (.clientCertificateRequired, .secureConnectionFailed),
      (.appTransportSecurityRequiresSecureConnection, .secureConnectionFailed),
      (.cancelled, .cancelled), (.unsupportedURL, .other), (.unknown, .other),
    ] as [(URLError.Code, ExchangeFault.Kind)])
  func `each error of URLSession has a kind`(_ code: URLError.Code, _ kind: ExchangeFault.Kind) {
    #expect(ExchangeFault(URLError(code), afterHead: false).kind == kind)
  }

  @Test func `an unknown error after the answer's head means that the rest was lost`() {
    #expect(ExchangeFault(URLError(.unknown), afterHead: true).kind == .lost)
    #expect(ExchangeFault(URLError(.timedOut), afterHead: true).kind == .timedOut)
    #expect(ExchangeFault(URLError(.cancelled), afterHead: true).kind == .cancelled)
  }

  @Test func `another error is known by its type alone`() {
    #expect(ExchangeFault(Strange(), afterHead: false) == ExchangeFault(.other, detail: "Strange"))
  }
}
