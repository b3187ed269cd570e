import GatehouseProtocol

/// What a blocking function is asked: whether this account may be created or signed in.
///
/// Thrown by a transaction that needs the answer, so that everything in it is undone. No function is
/// called inside a transaction: see `BlockingGate`.
package struct BlockingQuestion: Error, Sendable {
  package let trigger: BlockingFunction.Trigger
  /// The account as it would be saved. It may not exist yet.
  package let account: Account
  package let context: BlockingContext

  package init(
    _ trigger: BlockingFunction.Trigger, about account: Account, context: BlockingContext
  ) {
    self.trigger = trigger
    self.account = account
    self.context = context
  }

  var subject: BlockingSubject { BlockingSubject(trigger, account) }
}

/// The part of a question to which an answer is bound. An answer is used only for the same trigger and
/// account, and only while the account's address, number and identities are the same.
struct BlockingSubject: Hashable, Sendable {
  private let trigger: BlockingFunction.Trigger
  private let uid: UID
  private let email: String?
  private let isEmailVerified: Bool
  private let phoneNumber: String?
  private let identities: [Identity]

  private struct Identity: Hashable, Sendable {
    let provider: ProviderID
    let subject: Subject
  }

  init(_ trigger: BlockingFunction.Trigger, _ account: Account) {
    self.trigger = trigger
    uid = account.uid
    email = account.email?.text
    isEmailVerified = account.isEmailVerified
    phoneNumber = account.phoneNumber
    identities = account.identities.map { Identity(provider: $0.provider, subject: $0.subject) }
  }
}

/// How the user signs in, as blocking functions get it.
package struct BlockingContext: Sendable {
  /// `password`, `emailLink`, `phone` or the provider's id.
  package var method: String
  /// The second factor, if one was shown.
  package var secondFactor: PresentedFactor.Method?
  package var client: ClientAddress
  /// A BCP 47 tag; nil if the request names none.
  package var language: String?
  /// What the provider says about the user; nil without a provider.
  package var identity: ExternalIdentity?
  /// The client of the request. Its address is in full, shortened, or nil, as the operator
  /// configured it.
  package var source: EventSource

  package init(
    method: String, client: ClientAddress, language: String? = nil,
    identity: ExternalIdentity? = nil, source: EventSource = EventOrigin.current.source
  ) {
    self.method = method
    self.client = client
    self.language = language
    self.identity = identity
    self.source = source
  }
}
