import GatehouseProtocol
import GatehouseTokens

/// Apple's service for teams whose apps move to another team.
///
/// <https://developer.apple.com/documentation/signinwithapple/transferring-your-apps-and-users-to-another-team>,
/// <https://developer.apple.com/documentation/signinwithapple/bringing-new-apps-and-users-into-your-team>.
package struct AppleMigration: Sendable {
  /// A user in the new team.
  package struct User: Sendable {
    package let subject: Subject
    /// Verified only if it is a private relay address, which Apple creates.
    package let email: AssertedEmail?
  }

  private let provider: AppleProvider
  private let context: ProviderContext
  private let clientID: String
  private let accessToken: Secret<String>

  init(
    _ provider: AppleProvider, _ context: ProviderContext, clientID: String
  ) async throws(FederationError) {
    self.provider = provider
    self.context = context
    self.clientID = clientID
    let answer = try await context.answer(
      toGrant: [
        .init("grant_type", "client_credentials"), .init("scope", "user.migration"),
      ], at: try provider.codeEndpoints(clientID: clientID, redirectURI: nil, in: context))
    guard let accessToken = answer.tokens.accessToken else {
      throw .unparsable(reason: "access_token")
    }
    self.accessToken = accessToken
  }

  /// The transfer identifier of a user of this team.
  ///
  /// - Parameter team: The team to which the app moves.
  /// - Returns: Nil if Apple doesn't know the user.
  /// - Throws: ``FederationError/unreachable(_:)``,
  ///   ``FederationError/refusedByProvider(status:error:)``, or
  ///   ``FederationError/unparsable(reason:)`` if the response has no identifier.
  package func transferSubject(
    of subject: Subject, toTeam team: String
  ) async throws(FederationError) -> Subject? {
    let answer = try await ask([.init("sub", subject.text), .init("target", team)])
    guard let answer else { return nil }
    guard let found = answer["transfer_sub"]?.string.flatMap({ Subject($0) }) else {
      throw .unparsable(reason: "transfer_sub")
    }
    return found
  }

  /// The user of this team to whom a transfer identifier belongs.
  ///
  /// - Returns: Nil if Apple doesn't know the identifier: it is valid for 60 days after the
  ///   transfer.
  /// - Throws: As ``transferSubject(of:toTeam:)``.
  package func user(
    ofTransferSubject transferSubject: Subject
  ) async throws(FederationError) -> User? {
    let answer = try await ask([.init("transfer_sub", transferSubject.text)])
    guard let answer else { return nil }
    guard let subject = answer["sub"]?.string.flatMap({ Subject($0) }) else {
      throw .unparsable(reason: "sub")
    }
    let isPrivate = StandardClaims.isTrue(answer["is_private_email"])
    let email = answer["email"]?.string.flatMap { EmailAddress($0) }.map {
      AssertedEmail(
        address: $0, isVerified: isPrivate,
        isTrusted: context.configuration.trustEmail == .always)
    }
    return User(subject: subject, email: email)
  }

  private func ask(
    _ form: [OutboundRequest.FormField]
  ) async throws(FederationError) -> JSONObject? {
    var request = OutboundRequest(
      provider.endpoints.userMigrationInfo, form: form,
      authorization: Secret("Bearer " + accessToken.reveal()))
    let credentials = try provider.codeEndpoints(
      clientID: clientID, redirectURI: nil, in: context
    ).credentials
    credentials.authenticate(&request, clientID: clientID, now: context.now)
    let response = try await context.send(request)
    let error = TokenAnswer.errorCode(of: response)
    if response.status == 400, error?.hasSameBytes(as: "invalid_request") == true { return nil }
    guard response.status == 200,
      let json = try? JSONObject(parsing: response.body, limits: .document)
    else { throw .refusedByProvider(status: response.status, error: error) }
    return json
  }
}
