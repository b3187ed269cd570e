import GatehouseProtocol

/// Decides to which account a verified identity signs in. Only this file decides it, so no other code
/// lets an identity's email address lead to an account.
enum SignInDecision {
  /// The identity has an account. The user is signed in to it.
  case returning(Account)
  /// No account has the identity, and none has its email address or the project allows duplicate
  /// addresses.
  case create
  /// The address is verified on both sides: the identity is linked to that account.
  case join(Account)
  /// Only the new identity verifies the address. The user who created the account never verified
  /// it. ``TakeOverDecision`` decides what happens to the account.
  case takeOver(Account)
  /// Another account has the address, and this identity doesn't verify it. The user must sign in to
  /// that account and link the identity.
  case confirm(Account)
  /// The account with that address has another identity of the same provider: the provider gave the
  /// address to another user. The new subject gets nothing of the old account.
  case recycled(Account)

  /// The existing account that is signed in to, if any.
  var entered: Account? {
    switch self {
    case .returning(let account), .join(let account), .takeOver(let account): account
    case .create, .confirm, .recycled: nil
    }
  }

  /// - Parameters:
  ///   - identityOwner: The account of (issuer, subject).
  ///   - emailOwner: The account of the asserted address; nil also if the project allows duplicate
  ///     addresses.
  static func decide(
    _ identity: ExternalIdentity, identityOwner: Account?, emailOwner: Account?
  ) -> SignInDecision {
    if let identityOwner { return .returning(identityOwner) }
    guard let emailOwner, let email = identity.email else { return .create }
    if let other = emailOwner.identity(of: identity.provider) {
      // If the account's identity has another address, and the account never verified this one, the
      // provider didn't recycle the address. An attacker may have linked that identity only to lock
      // out the address's user.
      let isSquatted =
        email.isVerifiedAndTrusted && !emailOwner.isEmailVerified && other.email != email.address
      return isSquatted ? .takeOver(emailOwner) : .recycled(emailOwner)
    }
    guard email.isVerifiedAndTrusted else { return .confirm(emailOwner) }
    return emailOwner.isEmailVerified ? .join(emailOwner) : .takeOver(emailOwner)
  }
}

/// Decides to which account an emailed code signs in. A user who presents the code can read mail at
/// the address.
enum MailboxDecision {
  /// No account has the address.
  case create
  /// The account's user verified the address before, so it is the same user.
  case enter(Account)
  /// The user who created the account never verified the address. ``TakeOverDecision`` decides what
  /// happens to the account.
  case takeOver(Account)

  /// - Parameter owner: The account of the address.
  static func decide(owner: Account?) -> MailboxDecision {
    guard let owner else { return .create }
    return owner.isEmailVerified ? .enter(owner) : .takeOver(owner)
  }
}

/// Decides what happens to an account that is taken over: a user has verified its address, and the user
/// who created the account never did.
enum TakeOverDecision: Hashable {
  /// Its user deleted the account, and the deletion is scheduled. It is erased now, and the verified user
  /// gets a new account: another user must not get its id, nor the data that an app stored under the
  /// id.
  case erase
  /// The account stays with another user and loses its present address. The verified user gets a new
  /// account. Neither user may get data of the other one. The other user is one of these:
  ///
  /// - The user of an earlier, verified address, which a recovery code can still restore.
  /// - The user whom the project's back end names in custom tokens. The server can't take this credential
  ///   away: the back end goes on signing this user in to the account's id.
  case release
  /// The verified user gets the account, and what the other user may have left in it is removed.
  case clear

  /// - Parameter isRecoverable: Whether a recovery code can restore an earlier address of the account.
  static func decide(
    _ account: Account, isRecoverable: @autoclosure () throws -> Bool
  ) rethrows -> TakeOverDecision {
    if account.deletionScheduledFor != nil { return .erase }
    if account.isCustom { return .release }
    return try isRecoverable() ? .release : .clear
  }
}

/// Decides whether a signed-in user may link an identity to their account.
enum LinkDecision: Hashable {
  case link
  /// Rejected: another account has the identity or its address, or this account has another
  /// identity of the provider. Nothing about the other account is revealed.
  case conflict(AccountsError)

  /// If several reasons apply, a conflict with another account comes first: the user can sign in to
  /// that account.
  static func decide(
    _ identity: ExternalIdentity, to account: Account, identityOwner: Account?,
    emailOwner: Account?
  ) -> LinkDecision {
    if identityOwner != nil { return .conflict(.identityLinkedElsewhere) }
    if let emailOwner, emailOwner.uid != account.uid { return .conflict(.emailExists) }
    if account.identity(of: identity.provider) != nil { return .conflict(.providerAlreadyLinked) }
    return .link
  }
}
