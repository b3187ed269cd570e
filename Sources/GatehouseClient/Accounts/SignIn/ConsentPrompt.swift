/// Shows the person what would come together in one account, and returns what they agreed to.
///
/// - Parameter joins: What the server named: provider names, `email`, `phone`. The ``Consent`` has to
///   name them all.
/// - Returns: Nil if the person doesn't agree. Nothing is changed then.
public typealias ConsentPrompt = @Sendable (_ joins: [String]) async -> Consent?

extension AccountManager {
  /// How often a person is asked for one sign-in, since the account may gain something meanwhile.
  private static let consentRoundsMax = 3

  /// Sends `credential`, and again with the person's consent if the server wants that.
  ///
  /// - Parameter pagePrompt: Of the page that the user is on. ``consentPrompt``, the app's own, comes
  ///   before it.
  /// - Throws: ``AccountError/client(_:)`` with ``ClientError/cancelled`` if they don't agree.
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
        // The provider's token may be used up; this one stands for it, so no second sheet.
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
