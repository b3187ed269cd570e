/// Shows the user what would be joined in one account, and returns the user's consent.
///
/// - Parameter joins: The server's list: provider ids, `email`, `phone`. The ``Consent`` has to
///   list all of them.
/// - Returns: Nil if the user doesn't agree. Then nothing is changed.
public typealias ConsentPrompt = @Sendable (_ joins: [String]) async -> Consent?

extension AccountManager {
  /// How often a user is asked at most during one sign-in: the list may change between two
  /// requests.
  private static let consentRoundsMax = 3

  /// Sends `credential`, and sends it again with the user's consent if the server requires it.
  ///
  /// - Parameter pagePrompt: The prompt of the current page. The app's own ``consentPrompt`` takes
  ///   precedence.
  /// - Throws: ``AccountError/client(_:)`` with ``ClientError/cancelled`` if the user doesn't
  ///   agree.
  func consenting<Result: Sendable>(
    _ credential: Credential, asking pagePrompt: ConsentPrompt?,
    _ send: (Credential, Consent?) async throws(ClientError) -> Result
  ) async throws(AccountError) -> Result {
    var (credential, consent) = (credential, Consent?.none)
    for round in 0... {
      do {
        return try await send(credential, consent)
      } catch .consentRequired(let joins, let updated) {
        guard let prompt = consentPrompt ?? pagePrompt, round < Self.consentRoundsMax else {
          throw .client(.consentRequired(joins: joins, updated: updated))
        }
        // The provider's token can't be used a second time. `updated` replaces it, so no second
        // sheet is needed.
        if let updated { credential = .identityProvider(updated) }
        guard let given = await prompt(joins) else { throw .client(.cancelled) }
        consent = given
      } catch {
        throw .client(error)
      }
    }
    throw .client(.cancelled)
  }
}
