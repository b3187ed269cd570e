/// Why a sheet or a browser returned no response.
public enum DeviceFault: Error, Sendable, Hashable {
  /// The user closed the sheet or the browser, or the task was cancelled.
  case cancelled
  /// Another sheet or browser is open: only one is shown at a time.
  case busy
  /// The provider wasn't reached. This says nothing about the user's authorization.
  case offline(detail: String)
  /// This device can't do this: there is no window, no account on the device, or no such service.
  case unavailable(detail: String)
  /// The provider refused, or the device failed.
  case failed(detail: String)
  /// The URL to open couldn't be created, so nothing was opened.
  case notBegun(ClientError)
}

/// The state of the user's authorization of the app at a provider.
public enum ProviderCredentialState: String, Sendable, Hashable {
  case authorized
  /// The user revoked the authorization at the provider.
  case revoked
  /// No user with this id has authorized the app on this device.
  case notFound
  /// The app was transferred to another team: the user id is from before the transfer, and the next
  /// sign-in returns the new one.
  case transferred
}
