/// Why one of an ``AccountManager``'s flows failed.
///
/// A user who closes a sheet causes none of these errors: that is an outcome of its own
/// (``SignInAnswer/cancelled``, ``DeletionOutcome/cancelled(completed:)``,
/// ``Disconnection/cancelled``).
public enum AccountError: Error, Sendable, Hashable {
  /// The sheet or the browser returned no response.
  case device(DeviceFault)
  /// The response of the sheet or the browser can't be used. Nothing was sent.
  case answer(AnswerFault)
  /// An error of the client: from the server, the network or the store.
  case client(ClientError)
  /// Another of the manager's flows is in progress. Nothing was started.
  case busy
  /// The manager has no device with which to sign in to this provider.
  case notOffered(Provider)
  /// The provider is the account's only way to sign in and can't be removed. Nothing was changed.
  case lastProvider(Provider)

  /// Whether the flow ended because the user or the app cancelled it.
  var isCancellation: Bool {
    switch self {
    case .device(.cancelled), .client(.cancelled): true
    default: false
    }
  }
}

/// What is wrong with the response of a sheet or a browser.
public enum AnswerFault: String, Error, Sendable, Hashable, CaseIterable {
  case noIdentityToken
  case identityTokenNotUTF8
  /// Apple's authorization code is missing. Without it Apple's tokens can't be revoked.
  case noAuthorizationCode
  case authorizationCodeNotUTF8
  /// The response belongs to another request.
  case noPendingRequest
  /// The response is for an Apple or Google account other than the linked one.
  case anotherUser
  /// The browser returned with a URL that isn't a response of the server.
  case notUnderstood
}
