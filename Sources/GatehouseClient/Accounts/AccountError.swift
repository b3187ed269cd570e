/// Why one of an ``AccountManager``'s flows didn't go on.
///
/// That a person closed a sheet is none of these: it is an outcome of its own
/// (``SignInAnswer/cancelled`` and its like).
public enum AccountError: Error, Sendable, Hashable {
  /// The sheet or browser gave no answer.
  case device(DeviceFault)
  /// It gave one that can't be used. Nothing was sent.
  case answer(AnswerFault)
  /// What the client says: the server, the network, the store.
  case client(ClientError)
  /// Another of the manager's flows is under way. Nothing was begun.
  case busy
  /// The manager was given nothing by which this provider could be signed in to.
  case notOffered(Provider)
  /// The only way to sign in would be taken away. Nothing was changed.
  case lastProvider(Provider)

  /// Whether it ended because the person or the app wanted it to.
  var isCancellation: Bool {
    switch self {
    case .device(.cancelled), .client(.cancelled): true
    default: false
    }
  }
}

/// What is wrong with a sheet's answer.
public enum AnswerFault: String, Error, Sendable, Hashable, CaseIterable {
  case noIdentityToken
  case identityTokenNotUTF8
  /// Apple's code, without which its tokens can't be revoked.
  case noAuthorizationCode
  case authorizationCodeNotUTF8
  /// It answers something that this manager didn't ask.
  case noPendingRequest
  /// It is of somebody else than the account's own Apple or Google account.
  case anotherUser
  /// The address that a browser came back with isn't one of the server's answers.
  case notUnderstood
}
