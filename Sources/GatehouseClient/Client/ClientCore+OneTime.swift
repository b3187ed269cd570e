/// What a provider tells only once: in the store before it is sent, until the server has it in an
/// account.
extension ClientCore {
  private var oneTimeProfiles: OneTimeProfiles {
    OneTimeProfiles(store: store, key: configuration.oneTimeStoreKey, clock: clock)
  }

  /// Keeps what `credential` tells of the person.
  ///
  /// - Returns: The credential to send: with what was kept before, where it tells nothing.
  func remember(
    _ credential: IdentityProviderCredential
  ) throws(ClientError) -> IdentityProviderCredential {
    do {
      return try oneTimeProfiles.prepare(credential)
    } catch {
      throw .store(error)
    }
  }

  /// The account of `user` has it. Not in the way of a sign-in: kept a while longer, it does no harm.
  func acknowledge(_ credential: IdentityProviderCredential, by user: SignedInUser) {
    let subject = user.snapshot.provider(credential.provider)?.uid
    try? oneTimeProfiles.acknowledge(credential, subject: subject)
  }

  /// The account is gone, and with it everything that was told of the person.
  func forgetProfiles(of snapshot: UserSnapshot) {
    for linked in snapshot.providers {
      try? oneTimeProfiles.forget(linked.uid, at: linked.provider)
    }
  }
}
