/// Data that a provider sends only once: it is stored before it is sent to the server, and kept
/// until the server has it in an account.
extension ClientCore {
  private var oneTimeProfiles: OneTimeProfiles {
    OneTimeProfiles(store: store, key: configuration.oneTimeStoreKey, clock: clock)
  }

  /// Stores the user's name and email address in `credential`.
  ///
  /// - Returns: The credential to send, completed with the stored name and address if it has none.
  func remember(
    _ credential: IdentityProviderCredential
  ) throws(ClientError) -> IdentityProviderCredential {
    do {
      return try oneTimeProfiles.prepare(credential)
    } catch {
      throw .store(error)
    }
  }

  /// Called when the server has accepted `credential` for the account of `user`. A failure doesn't
  /// stop the sign-in: data that is kept a while longer does no harm.
  func acknowledge(_ credential: IdentityProviderCredential, by user: SignedInUser) {
    forgetRevocation(of: credential.provider, for: user.uid)
    let subject = user.snapshot.provider(credential.provider)?.uid
    try? oneTimeProfiles.acknowledge(credential, subject: subject)
  }

  /// Called when the account is deleted: removes the stored names and addresses of the user.
  func forgetProfiles(of snapshot: UserSnapshot) {
    for linked in snapshot.providers {
      try? oneTimeProfiles.forget(linked.uid, at: linked.provider)
    }
  }
}
