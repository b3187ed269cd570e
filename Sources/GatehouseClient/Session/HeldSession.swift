/// A session as it is held in memory: who, their tokens, and what is known of them.
struct HeldSession: Sendable, Hashable {
  var tokens: HeldTokens
  var snapshot: UserSnapshot

  var uid: String { snapshot.uid }
}

/// The two tokens that a session lives on.
struct HeldTokens: Sendable, Hashable {
  var idToken: IDToken
  var refreshToken: String
}

/// Secrets stay out of logs.
extension HeldTokens: CustomStringConvertible, CustomReflectable {
  var description: String { "HeldTokens(\(idToken))" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
