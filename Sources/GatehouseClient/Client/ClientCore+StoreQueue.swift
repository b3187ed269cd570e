import Dispatch

/// A store blocks its thread: a keychain for milliseconds, the lock of a file for seconds. Swift has only as many
/// threads for async functions as the device has cores, so these wait here for a thread of their own.
///
/// Each function has the name of the one that it calls. In an async function, Swift chooses this one.
extension ClientCore {
  private func onStoreQueue<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      storeQueue.async {
        let result: Result<Value, Failure>
        do throws(Failure) {
          result = .success(try work())
        } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  func load() async throws(ClientError) {
    try await onStoreQueue { () throws(ClientError) in try self.load() }
  }

  func readAgain() async throws(ClientError) {
    try await onStoreQueue { () throws(ClientError) in try self.readAgain() }
  }

  func loadBeforeSignIn() async throws(ClientError) {
    try await onStoreQueue { () throws(ClientError) in try self.loadBeforeSignIn() }
  }

  func begin(
    _ session: HeldSession, since sessionRequests: UInt64, as known: SignedInUser? = nil
  ) async throws(ClientError) -> SignedInUser {
    try await onStoreQueue { () throws(ClientError) in
      try self.begin(session, since: sessionRequests, as: known)
    }
  }

  func signOut() async throws(ClientError) {
    try await onStoreQueue { () throws(ClientError) in try self.signOut() }
  }

  func end(_ user: SignedInUser, refused: IDToken?, cause: ClientError?) async -> Bool {
    await onStoreQueue { self.end(user, refused: refused, cause: cause) }
  }

  func endSessions(ofDeleted user: SignedInUser) async {
    await onStoreQueue { self.endSessions(ofDeleted: user) }
  }

  func update(
    _ user: SignedInUser, rotating used: HeldTokens? = nil,
    _ change: @escaping @Sendable (inout HeldSession) -> Void
  ) async -> HeldSession {
    await onStoreQueue { self.update(user, rotating: used, change) }
  }

  func prepareRefresh(of user: SignedInUser) async throws(ClientError) -> HeldSession {
    try await onStoreQueue { () throws(ClientError) in try self.prepareRefresh(of: user) }
  }

  func remember(
    _ credential: IdentityProviderCredential
  ) async throws(ClientError) -> IdentityProviderCredential {
    try await onStoreQueue { () throws(ClientError) in try self.remember(credential) }
  }

  func acknowledge(_ credential: IdentityProviderCredential, by user: SignedInUser) async {
    await onStoreQueue { self.acknowledge(credential, by: user) }
  }

  func deletionRecord(for uid: String) async -> DeletionRecord {
    await onStoreQueue { self.deletionRecord(for: uid) }
  }

  func keep(_ record: DeletionRecord) async {
    await onStoreQueue { self.keep(record) }
  }

  func forgetDeletionRecord() async {
    await onStoreQueue { self.forgetDeletionRecord() }
  }

  func forgetBegunRevocation(of provider: Provider, for uid: String) async {
    await onStoreQueue { self.forgetBegunRevocation(of: provider, for: uid) }
  }
}
