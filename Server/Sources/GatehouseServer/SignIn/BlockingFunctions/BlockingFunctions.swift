package import Foundation

/// A project's blocking functions: programs of the team that decide about new accounts and sign-ins
/// before they happen.
///
/// Source: Firebase, "Extend Firebase Authentication with blocking functions".
package struct BlockingFunctions: Sendable {
  package var beforeCreate: BlockingFunction?
  package var beforeSignIn: BlockingFunction?
  /// Which of a provider's tokens the functions get. By default none.
  package var forwarded: ForwardedCredentials = []

  package init() {}

  /// Whether the project has no function.
  package var isEmpty: Bool { beforeCreate == nil && beforeSignIn == nil }
  /// Whether there is nothing to store.
  package var isUnset: Bool { isEmpty && forwarded.isEmpty }

  package subscript(trigger: BlockingFunction.Trigger) -> BlockingFunction? {
    get {
      switch trigger {
      case .beforeCreate: beforeCreate
      case .beforeSignIn: beforeSignIn
      }
    }
    set {
      switch trigger {
      case .beforeCreate: beforeCreate = newValue
      case .beforeSignIn: beforeSignIn = newValue
      }
    }
  }

  /// Sets the function of a trigger. An existing function keeps its secrets; it keeps its policy unless a
  /// new one is given.
  ///
  /// - Parameters:
  ///   - url: Checked by the caller: see `WebhookAddress`.
  ///   - rotatesSecret: Signs with a new secret too; see ``BlockingFunction/secrets``.
  /// - Returns: The secret, if one was created. It is shown once.
  package mutating func set(
    _ trigger: BlockingFunction.Trigger, url: String,
    onFailure policy: BlockingFunction.FailurePolicy? = nil, rotatesSecret: Bool = false, now: Date
  ) -> WebhookSecret? {
    let known = self[trigger]
    let created = known == nil || rotatesSecret ? WebhookSecret.random() : nil
    self[trigger] = BlockingFunction(
      url: url, onFailure: policy ?? known?.onFailure ?? .refuse,
      secrets: Array(
        ((created.map { [$0] } ?? []) + (known?.secrets ?? []))
          .prefix(BlockingFunction.maximumSecrets)),
      updatedAt: now.wholeMilliseconds)
    return created
  }
}

/// One blocking function. Each request to it has a JWT that the server signs, and is signed as Standard
/// Webhooks describes (https://www.standardwebhooks.com).
package struct BlockingFunction: Sendable {
  /// `https://…`, or `http` to this machine.
  package var url: String
  package var onFailure: FailurePolicy
  /// The newest first. The server signs every request with each of them: a receiver needs to know
  /// only one. Encrypted at rest.
  package var secrets: [WebhookSecret]
  package var updatedAt: Date

  /// What the function decides about. The raw values are part of the protocol.
  package enum Trigger: String, Hashable, Sendable, CaseIterable {
    /// Before an account is created.
    case beforeCreate
    /// Before a session begins.
    case beforeSignIn
  }

  /// What happens if the function doesn't answer in time, or doesn't answer as it should. A function
  /// that answers with a refusal always refuses.
  package enum FailurePolicy: String, Hashable, Sendable, CaseIterable {
    /// The user is refused.
    case refuse
    /// The request continues as if there were no function.
    case allow
  }

  /// Two, so that the old secret stays valid while the receiver gets the new one.
  package static let maximumSecrets = 2
  /// The time in which a function has to answer, as in Firebase, unless the operator sets another. Seconds.
  package static let deadlineSeconds = 7
  /// How many calls of one project's functions one server may have in flight. A function that hangs
  /// then holds up at most this many requests of a server.
  package static let maximumCallsPerProject = 32

  package init(
    url: String, onFailure: FailurePolicy, secrets: [WebhookSecret], updatedAt: Date
  ) {
    self.url = url
    self.onFailure = onFailure
    self.secrets = secrets
    self.updatedAt = updatedAt
  }
}

/// `forwardInboundCredentials`: the tokens of a provider that blocking functions get.
package struct ForwardedCredentials: OptionSet, Hashable, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let idToken = ForwardedCredentials(rawValue: 1)
  package static let accessToken = ForwardedCredentials(rawValue: 2)
  package static let refreshToken = ForwardedCredentials(rawValue: 4)
}
