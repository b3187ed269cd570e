extension AccountManager {
  /// Deletes the account that is signed in, in one call: proves again who the person is if their
  /// sign-in isn't recent, revokes what Apple and Google gave the app, deletes.
  ///
  /// Ask the person before: it can't be undone. Whether the sign-in is recent is decided by
  /// ``IDToken/authenticatedAt`` in the server's time, before a sheet and again after it. Apple's
  /// sheet is shown once for both. Nothing is revoked before the server knows who it is, and nothing
  /// is deleted before everything is revoked.
  ///
  /// Call it again after it failed, also in a later launch: the steps that are done are skipped.
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
