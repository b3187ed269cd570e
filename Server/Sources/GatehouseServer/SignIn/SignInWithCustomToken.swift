package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// `accounts:signInWithCustomToken` (v3 `verifyCustomToken`).
struct SignInWithCustomToken: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    Route.signIn("signInWithCustomToken", v3: "verifyCustomToken", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithCustomTokenRequest.self)
    let project = try call.requireProject()
    guard let token = request.token else { throw APIError.refused(.missingCustomToken) }
    let signedIn =
      if configuration.development != nil {
        // Every caller of a development server is its administrator.
        try await services.accounts.signIn(
          customTokenBelievingAnybody: token, language: call.language, in: project, now: call.now)
      } else {
        try await services.accounts.signIn(
          customToken: token, language: call.language, in: project, now: call.now)
      }
    return Answer(
      SignInWithCustomTokenResponse(
        isNewUser: signedIn.isNewUser, tokens: signedIn.tokens))
  }
}

extension AccountsService {
  /// Signs in the user that the project's own back end names in a custom token. One of the
  /// project's service accounts must have signed the token. If the account doesn't exist, it is
  /// created, even if the project refuses sign-ups: the back end decides which users have an account.
  ///
  /// A custom token may be used again until it expires. As in Firebase, no blocking function is called:
  /// the back end has decided already.
  ///
  /// - Throws: ``AssertionRefusal``, ``CustomTokenError``, `CustomClaimsError` of
  ///   `GatehouseTokens`, ``AccountsError/userDisabled``, and ``AccountsError/tokenExpired`` for a token
  ///   from before the account's deletion was scheduled.
  package func signIn(
    customToken: String, language: String? = nil, in project: Project, now: Date
  ) async throws -> SignedIn {
    let assertion = try await store.verifyAssertion(
      customToken, of: project.id, audiences: [CustomToken.audience], requiresSubject: true,
      now: now)
    return try await signIn(
      with: try CustomToken(assertion.token.claims), language: language, in: project, now: now
    ) { try assertion.recheck(for: .customTokens, in: $0, now: now) }
  }

  /// Signs in with a custom token that may be unsigned, as the emulator accepts it. Anyone can write such
  /// a token, so this function **MUST NOT** be offered where accounts have any value. A signed token is
  /// verified by ``signIn(customToken:language:in:now:)``.
  ///
  /// - Throws: What ``signIn(customToken:language:in:now:)`` throws.
  package func signIn(
    customTokenBelievingAnybody text: String, language: String? = nil, in project: Project,
    now: Date
  ) async throws -> SignedIn {
    let unsigned: UnsignedAssertion?
    do {
      unsigned = try UnsignedAssertion(
        believingAnybody: text, audiences: [CustomToken.audience], now: now)
    } catch {
      throw AssertionRefusal.token(error.code)
    }
    guard let unsigned else {
      return try await signIn(customToken: text, language: language, in: project, now: now)
    }
    return try await signIn(
      with: try CustomToken(unsigned.claims), language: language, in: project, now: now
    ) { _ in }
  }

  private func signIn(
    with token: CustomToken, language: String?, in project: Project, now: Date,
    permitted: @escaping @Sendable (Transaction) throws -> Void
  ) async throws -> SignedIn {
    let (account, session, isNew) = try await store.write { transaction in
      try permitted(transaction)
      let known = try transaction.account(token.uid, in: project.id)
      if known?.isDisabled == true { throw AccountsError.userDisabled }
      try known?.refuseProof(issuedAt: token.issuedAt)
      var account = known ?? Account(uid: token.uid, createdAt: now)
      let namesLanguage = account.recordSignIn(language: language, now: now)
      let confirmsIdentities = account.confirmCredentials()
      if account.isCustom && !confirmsIdentities && !namesLanguage {
        try transaction.touch(account.uid, in: project.id, lastLoginAt: now, lastRefreshAt: now)
      } else {
        account.isCustom = true
        try transaction.save(account, replacing: known, in: project.id, now: now)
      }
      let session = try transaction.beginSession(
        of: account, by: .custom, admission: .notNeeded, developerClaims: token.developerClaims,
        in: project, now: now)
      return (account, session, known == nil)
    }
    return SignedIn(
      account: account, session: session,
      tokens: try sessions.tokens(for: account, session, in: project, now: now),
      isNewUser: isNew)
  }
}

/// The claims of a custom token that a sign-in uses after the token was verified.
///
/// Source: Firebase, "Create Custom Tokens" (using a third-party JWT library).
private struct CustomToken {
  let uid: UID
  let developerClaims: CustomClaims?
  let issuedAt: Date?

  /// Google's service accepts longer ids of accounts, but not in custom tokens.
  static let maximumUIDBytes = 128

  static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  init(_ claims: Claims) throws {
    // Projects have no tenants, so a tenant's token names no user here.
    guard !claims.contains("tenant_id") else { throw CustomTokenError.tenant }
    guard let text = Self.identifier("uid", in: claims) ?? Self.identifier("user_id", in: claims)
    else { throw CustomTokenError.uidMissing }
    guard (1...Self.maximumUIDBytes).contains(text.utf8.count) else {
      throw CustomTokenError.uidLength
    }
    guard let uid = UID(text) else { throw CustomTokenError.uidCharacters }
    self.uid = uid
    issuedAt = claims.date("iat")
    let developerClaims = try claims.jsonText("claims").map { text in
      guard text.utf8.count <= CustomClaims.greatestDeveloperBytes else {
        throw CustomClaimsError.tooLarge
      }
      return try CustomClaims(jsonText: text, limit: CustomClaims.greatestDeveloperLength)
    }
    self.developerClaims = developerClaims.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A text, or the digits of a whole number: back ends with numeric ids sign them as numbers, and
  /// Google's service accepts that.
  private static func identifier(_ name: String, in claims: Claims) -> String? {
    claims.string(name) ?? claims.int64(name).map { String($0) }
  }
}

/// Why the claims of a valid custom token are rejected. `==` compares everything.
package enum CustomTokenError: Error, Hashable, Sendable {
  case uidMissing
  /// The user id doesn't have 1 to 128 bytes.
  case uidLength
  /// The user id contains control characters.
  case uidCharacters
  /// The token is for a tenant.
  case tenant
}

extension CustomTokenError: APIErrorConvertible {
  var apiError: APIError {
    switch self {
    case .uidMissing: .refused(.missingIdentifier)
    case .uidLength:
      .refused(
        .invalidIdentifier, "Invalid user ID length. Expect to have length between 1 and 128.")
    case .uidCharacters: .refused(.invalidIdentifier, "A user ID has no control characters.")
    case .tenant: .refused(.tenantIDMismatch)
    }
  }
}
