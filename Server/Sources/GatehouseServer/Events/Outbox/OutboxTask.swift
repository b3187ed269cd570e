package import GatehouseProtocol

import struct Foundation.Date

/// The work of an ``OutboxEntry``. Stored encrypted: it may contain codes and tokens.
package enum OutboxTask: Sendable {
  /// Exchange an authorization code and keep the refresh token.
  case exchangeCode(CodeExchangeTask)
  /// Revoke a provider's token, or the grant of one of its users.
  case revoke(RevocationTask)
  /// Apply what a provider reported about a user.
  case applyEvent(ProviderEvent)
  /// Forward a provider's notification to the project's own receiver.
  case forwardNotification(ForwardTask)
  /// Send an email.
  case sendMail(MailTask)
  /// Deliver an event to a hook.
  case deliverEvent(DeliveryTask)

  /// The name that operators and metrics see.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case exchangeCode = "exchange-code"
    case revoke
    case applyEvent = "apply-event"
    case forwardNotification = "forward-notification"
    case sendMail = "send-mail"
    case deliverEvent = "deliver-event"

    /// Whether the work needs another server.
    package var isRemote: Bool { self != .applyEvent }
  }

  package var kind: Kind {
    switch self {
    case .exchangeCode: .exchangeCode
    case .revoke: .revoke
    case .applyEvent: .applyEvent
    case .forwardNotification: .forwardNotification
    case .sendMail: .sendMail
    case .deliverEvent: .deliverEvent
    }
  }

  /// The hook to which the work delivers an event; nil for other work.
  var hook: HookID? {
    if case .deliverEvent(let task) = self { task.hook } else { nil }
  }

  /// The provider that the work concerns; nil if it concerns none.
  package var provider: ProviderID? {
    switch self {
    case .exchangeCode(let task): task.provider
    case .revoke(let task): task.provider
    case .applyEvent(let event): event.provider
    case .forwardNotification(let task): task.provider
    case .sendMail, .deliverEvent: nil
    }
  }

  /// When work that was stored or restarted at `start` is given up.
  func deadline(from start: Date) -> Date {
    switch self {
    // "The authorization code … is single-use only and valid for five minutes." (Apple, "Generate
    // and validate tokens")
    case .exchangeCode: start.addingTimeInterval(5 * 60)
    case .revoke, .applyEvent, .forwardNotification, .deliverEvent:
      start.addingTimeInterval(OutboxEntry.maximumSeconds)
    // A retry by an operator makes neither the code nor the notice valid for longer.
    case .sendMail(let task): task.expiresAt
    }
  }
}

/// Exchange an authorization code that came with a sign-in, and keep the refresh token.
package struct CodeExchangeTask: Sendable {
  package let provider: ProviderID
  /// The account that signed in.
  package let uid: UID
  /// The identity that signed in. A token for another subject isn't kept.
  package let subject: Subject
  package let code: AuthorizationCode
}

/// Revoke what a user granted at a provider.
package struct RevocationTask: Sendable {
  package enum Target: Sendable {
    case token(Secret<String>, RevocableToken)
    /// Everything that the user granted the app. Only for a provider that doesn't require a token of
    /// the user for this (Facebook).
    case grant
  }

  package let provider: ProviderID
  package let subject: Subject
  package let target: Target
  /// The client to which the token was issued; nil if unknown.
  package let clientID: String?
  /// The client's request that asked for the revocation; nil if the account was deleted or the provider
  /// unlinked.
  package let request: RevocationRequest?

  init(
    provider: ProviderID, subject: Subject, target: Target, clientID: String?,
    request: RevocationRequest? = nil
  ) {
    self.provider = provider
    self.subject = subject
    self.target = target
    self.clientID = clientID
    self.request = request
  }
}

/// Forward a verified notification, as the provider sent it.
package struct ForwardTask: Sendable {
  package let provider: ProviderID
  /// The user that the notification is about; nil if it concerns no user.
  package let subject: Subject?
  /// The compact JWS.
  package let jws: String
}

/// An authorization code that an app or a browser brought with a sign-in.
package struct AuthorizationCode: Sendable {
  package let code: Secret<String>
  /// The redirect URI of the authorization request, if it had one.
  package let redirectURI: String?
  /// The client to which the code was issued; nil if unknown.
  package let clientID: String?

  package init(_ code: Secret<String>, redirectURI: String? = nil, clientID: String? = nil) {
    self.code = code
    self.redirectURI = redirectURI
    self.clientID = clientID
  }
}
