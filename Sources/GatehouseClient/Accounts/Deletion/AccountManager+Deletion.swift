extension AccountManager {
  /// Deletes the signed-in account in one call: re-authenticates the user if the sign-in isn't
  /// recent, revokes what Apple and Google gave the app, then deletes the account.
  ///
  /// Ask the user for confirmation first: deletion can't be undone. ``IDToken/authenticatedAt`` and
  /// the server's time decide whether the sign-in is recent, before a sheet is shown and again
  /// after it. Apple's sheet is shown once for both re-authentication and revocation. Nothing is
  /// revoked before the user is re-authenticated, and nothing is deleted before everything is
  /// revoked.
  ///
  /// If it fails, call it again, also at a later launch: completed steps are skipped.
  ///
  /// - Throws: ``DeletionError``, a case for each step.
  public func deleteAccount(
    reauthenticatingWith wish: Reauthentication = .automatic,
    options: DeletionOptions = DeletionOptions()
  ) async throws(DeletionError) -> DeletionOutcome {
    let refused = DeletionError.prepare(DeletionError.Failure(cause: .busy, completed: []))
    return try await turn.take(or: refused) {
      () async throws(DeletionError) -> DeletionOutcome in
      guard let user = self.client.currentUser else {
        throw .prepare(DeletionError.Failure(cause: .client(.notSignedIn), completed: []))
      }
      var run = DeletionRun(manager: self, user: user, wish: wish, options: options)
      return try await run.perform()
    }
  }
}
