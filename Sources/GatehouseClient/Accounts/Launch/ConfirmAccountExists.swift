extension AccountManager {
  /// Asks the server whether the account still exists. Call it when your back end has no document
  /// of the user, because another device may have deleted the account. It sends a request, so don't
  /// call it at every launch.
  ///
  /// - Returns: False if the account is deleted. Then the client is signed out.
  /// - Throws: ``AccountError/client(_:)``. With ``ClientError/network(_:)``, nothing is known
  ///   about the account. With ``ClientError/sessionEnded(_:)``, the account may still exist, but
  ///   the session has ended.
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
