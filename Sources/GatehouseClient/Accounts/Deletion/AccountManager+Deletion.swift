extension AccountManager {
  /// Deletes the signed-in account in one call: re-authenticates the user if the sign-in isn't
  /// recent, revokes the app's authorization at Apple and Google, then deletes the account.
  ///
  /// Ask the user for confirmation first. ``IDToken/authenticatedAt`` and the server's time decide
  /// whether the sign-in is recent, before a sheet is shown and again after Apple's sheet. Apple's
  /// sheet is shown once for both re-authentication and revocation. Nothing is revoked before the
  /// sign-in is recent. The account is deleted after the revocations. Afterwards the server revokes
  /// the tokens that it keeps.
  ///
  /// After an error, call this function again, now or at a later launch: completed steps are
  /// skipped.
  ///
  /// - Throws: ``DeletionError``, a case for each step.
  public func deleteAccount(
    reauthenticatingWith wish: Reauthentication = .automatic,
    options: DeletionOptions = DeletionOptions()
  ) async throws(DeletionError) -> DeletionOutcome {
    let refused = DeletionError.prepare(DeletionError.Failure(cause: .busy, completed: []))
    return try await inTurn(or: refused) {
      () async throws(DeletionError) -> DeletionOutcome in
      guard let user = self.client.currentUser else {
        throw .prepare(DeletionError.Failure(cause: .client(.notSignedIn), completed: []))
      }
      var run = DeletionRun(manager: self, user: user, wish: wish, options: options)
      return try await run.perform()
    }
  }
}
