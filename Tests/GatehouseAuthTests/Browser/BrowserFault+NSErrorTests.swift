import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

/// The errors of the page in a browser, and of the browser itself.
@Suite("A browser's faults") struct BrowserFaultNSErrorTests {
  @Test(arguments: [
    ("auth/invalid-oauth-client-id", AuthErrorCode.invalidClientID),
    ("auth/network-request-failed", .webNetworkRequestFailed),
    ("auth/internal-error", .webInternalError),
    ("auth/anything-else", .webSignInUserInteractionFailure),
  ])
  func `each code of the page has its error`(_ code: String, _ expected: AuthErrorCode) {
    #expect(
      BrowserFault.page(code: code, message: "why").nsError.code == expected.rawValue)
  }

  @Test func `an unknown code of the page is in the reason`() {
    let error = BrowserFault.page(code: "auth/odd", message: "Odd.").nsError
    #expect(error.localizedFailureReason == "[auth/odd] - Odd.")
  }

  @Test(arguments: [
    (DeviceFault.cancelled, AuthErrorCode.webContextCancelled),
    (.busy, .webContextAlreadyPresented), (.offline(detail: "why"), .webNetworkRequestFailed),
    (.unavailable(detail: "why"), .operationNotAllowed),
    (.failed(detail: "why"), .webSignInUserInteractionFailure),
    (.notBegun(.cancelled), .webContextCancelled),
    (.notBegun(.invalidArgument(detail: "why")), .internalError),
  ])
  func `each device fault has its error`(_ fault: DeviceFault, _ expected: AuthErrorCode) {
    #expect(fault.nsError.code == expected.rawValue)
    #expect(BrowserFault.device(fault).nsError.code == expected.rawValue)
  }

  @Test(arguments: [BrowserFault.anotherRequest, .notUnderstood])
  func `an address that isn't the response is an error`(_ fault: BrowserFault) {
    #expect(fault.nsError.code == AuthErrorCode.webSignInUserInteractionFailure.rawValue)
  }
}
