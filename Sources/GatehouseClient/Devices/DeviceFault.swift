/// Why a sheet or a browser gave no answer.
public enum DeviceFault: Error, Sendable, Hashable {
  /// The person closed it, or the task was cancelled.
  case cancelled
  /// Another one is open: there is one at a time.
  case busy
  /// The provider wasn't reached. Says nothing of the person.
  case offline(detail: String)
  /// This device can't show it or can't tell: no window, no account on the device, no such service.
  case unavailable(detail: String)
  /// The provider refused, or the device failed.
  case failed(detail: String)
  /// The address to open couldn't be made, so nothing was opened.
  case notBegun(ClientError)
}

/// What a provider says about somebody's agreement to the app.
public enum ProviderCredentialState: String, Sendable, Hashable {
  case authorized
  /// The person took it back, at the provider.
  case revoked
  /// Nobody of this name has agreed on this device.
  case notFound
  /// The app went to another team: the name is from before, and the next sign-in has the new one.
  case transferred
}
