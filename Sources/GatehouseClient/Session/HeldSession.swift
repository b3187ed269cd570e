/// A session in memory: the tokens, and the user's profile.
struct HeldSession: Sendable, Hashable {
  var tokens: HeldTokens
  var snapshot: UserSnapshot

  var uid: String { snapshot.uid }
}

/// The two tokens of a session.
struct HeldTokens: Sendable, Hashable {
  var idToken: IDToken
  var refreshToken: String
  /// The API key of the Firebase project, as long as both tokens are of Firebase. Only Google and
  /// ``FirebaseTrade`` may get them.
  var firebaseAPIKey: String?
}

/// Secrets stay out of logs.
extension HeldTokens: CustomStringConvertible, CustomReflectable {
  var description: String { "HeldTokens(\(idToken))" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
