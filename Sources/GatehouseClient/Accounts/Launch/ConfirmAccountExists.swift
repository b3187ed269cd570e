extension AccountManager {
  /// Asks the server whether the account still exists: for when the person's own document is
  /// missing, as after a deletion on another device. Not for every launch: it is a request.
  ///
  /// - Returns: False if the account is gone. The client is signed out then.
  /// - Throws: ``AccountError/client(_:)``: ``ClientError/network(_:)`` says nothing about the
  ///   account; ``ClientError/sessionEnded(_:)`` that it exists, or may, but the session is over.
  public func confirmAccountExists() async throws(AccountError) -> Bool {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    do {
      _ = try await user.idToken(forcingRefresh: true)
      return true
    } catch .sessionEnded(.deleted) {
      return false
    } catch {
      throw .client(error)
    }
  }
}
