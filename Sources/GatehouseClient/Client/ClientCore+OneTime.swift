/// What a provider tells only once: it is stored before it is sent, and kept until the server has
/// it in an account.
extension ClientCore {
  private var oneTimeProfiles: OneTimeProfiles {
    OneTimeProfiles(store: store, key: configuration.oneTimeStoreKey, clock: clock)
  }

  /// Stores what `credential` tells about the user.
  ///
  /// - Returns: The credential to send, completed with what was stored earlier if it tells nothing.
  func remember(
    _ credential: IdentityProviderCredential
  ) throws(ClientError) -> IdentityProviderCredential {
    do {
      return try oneTimeProfiles.prepare(credential)
    } catch {
      throw .store(error)
    }
  }

  /// Called when the server has it in the account of `user`. A failure doesn't stop the sign-in:
  /// data that is kept a while longer does no harm.
  func acknowledge(_ credential: IdentityProviderCredential, by user: SignedInUser) {
    let subject = user.snapshot.provider(credential.provider)?.uid
    try? oneTimeProfiles.acknowledge(credential, subject: subject)
  }

  /// Called when the account is deleted: forgets everything that was told about the user.
  func forgetProfiles(of snapshot: UserSnapshot) {
    for linked in snapshot.providers {
      try? oneTimeProfiles.forget(linked.uid, at: linked.provider)
    }
  }
}
