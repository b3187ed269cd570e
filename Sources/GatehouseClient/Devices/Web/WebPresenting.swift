public import Foundation

/// A browser that returns to the app: in a sheet of the system, or to a loopback address (RFC 8252
/// §7.3).
public protocol WebPresenting: Sendable {
  /// Opens a URL, and returns the URL at which the browser came back.
  ///
  /// - Parameters:
  ///   - begin: Creates the URL to open. Its argument is a redirect URL of this presenter, created
  ///     for this one sign-in, to which the browser has to return.
  /// - Returns: The redirect URL with the parameters of the response, unchecked.
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   another sign-in is open; ``DeviceFault/notBegun(_:)`` with the error of `begin`.
  func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
    async throws(DeviceFault) -> URL
}
