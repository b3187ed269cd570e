import GatehouseModel

/// What a verified identity leads to. The one place that decides it: nothing else lets an email
/// address lead to an account.
enum SignInDecision {
  /// The identity is known: its account signs in.
  case returning(Account)
  /// Neither the identity nor its email address belongs to anybody.
  case create
  /// The address is verified on both sides: the identity becomes another way into that account.
  case join(Account)
  /// The address is verified by the arriving side alone: whoever made the account never showed that
  /// it is theirs, so everything they left in it ends.
  case takeOver(Account)
  /// The address is another account's and this side doesn't prove it: the person decides.
  case confirm(Account)
  /// The account of that address has another identity of the same provider: the address was given
  /// to somebody else there. The new subject gets nothing of the old account.
  case recycled(Account)

  /// The existing account that signs in, if one does.
  var entered: Account? {
    switch self {
    case .returning(let account), .join(let account), .takeOver(let account): account
    case .create, .confirm, .recycled: nil
    }
  }

  /// - Parameters:
  ///   - identityOwner: The account of (issuer, subject).
  ///   - emailOwner: The account of the asserted address; nil too where the project lets addresses
  ///     repeat.
  static func decide(
    _ identity: ExternalIdentity, identityOwner: Account?, emailOwner: Account?
  ) -> SignInDecision {
    if let identityOwner { return .returning(identityOwner) }
    guard let emailOwner, let email = identity.email else { return .create }
    if let other = emailOwner.identity(of: identity.provider) {
      // An identity of another address, in an account that never proved this one, makes nobody the
      // address's earlier holder: it could be linked just to keep the holder out for good.
      let isSquatted =
        email.isVerifiedAndTrusted && !emailOwner.isEmailVerified && other.email != email.address
      return isSquatted ? .takeOver(emailOwner) : .recycled(emailOwner)
    }
    guard email.isVerifiedAndTrusted else { return .confirm(emailOwner) }
    return emailOwner.isEmailVerified ? .join(emailOwner) : .takeOver(emailOwner)
  }
}

/// What a code that was sent to an address leads to: whoever presents it reads the mail there.
enum MailboxDecision {
  /// The address is nobody's.
  case create
  /// The account's holder proved the address before: it is the same person's.
  case enter(Account)
  /// Whoever made the account never showed that the address is theirs.
  case takeOver(Account)

  /// - Parameter owner: The account of the address.
  static func decide(owner: Account?) -> MailboxDecision {
    guard let owner else { return .create }
    return owner.isEmailVerified ? .enter(owner) : .takeOver(owner)
  }
}

/// Whether a signed-in person may add an identity to their account.
enum LinkDecision: Hashable {
  case link
  /// Refused: another account has the identity or its address, or this one has another identity of the
  /// provider. Nothing is told about the other account.
  case conflict(AccountsError)

  static func decide(
    _ identity: ExternalIdentity, to account: Account, identityOwner: Account?,
    emailOwner: Account?
  ) -> LinkDecision {
    if identityOwner != nil { return .conflict(.identityLinkedElsewhere) }
    if account.identity(of: identity.provider) != nil { return .conflict(.providerAlreadyLinked) }
    if let emailOwner, emailOwner.uid != account.uid { return .conflict(.emailExists) }
    return .link
  }
}
