public import Foundation

/// A browser that comes back to the app: a sheet of the system's, or a loopback address (RFC 8252
/// §7.3).
public protocol WebPresenting: Sendable {
  /// Opens an address, and returns the one that the browser ended at; answers exactly once.
  ///
  /// - Parameters:
  ///   - begin: Makes the address to open, from where the browser has to end: a redirect URL of
  ///     this presenter's, made for this one time.
  /// - Returns: The redirect URL with what the answer adds. Nothing in it is checked.
  /// - Throws: ``DeviceFault/cancelled``, also if the task is cancelled; ``DeviceFault/busy`` while
  ///   one is open; ``DeviceFault/notBegun(_:)`` with what `begin` threw.
  func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
    async throws(DeviceFault) -> URL
}
