import Foundation
import GatehouseTokens
package import GatehouseProtocol

/// Issues the tokens of a session: ID tokens, refresh tokens and session cookies. Verifies ID tokens and
/// session cookies that clients present. Issues receipts for deletions too.
package struct SessionIssuer: Sendable {
  let idTokenKeys: any TokenKeys
  let cookieKeys: any TokenKeys
  let refreshTokens: RefreshTokenCodec
  let counts = SignInCounts()
  /// Whether tokens are issued in the form of ``UnsignedForm``. Only for `--dev`.
  private let seemsUnsigned: Bool

  /// How long an ID token is valid. Seconds.
  package static let idTokenLifetimeSeconds = 3600

  package init(
    idTokenKeys: any TokenKeys, cookieKeys: any TokenKeys, refreshTokens: RefreshTokenCodec,
    seemsUnsigned: Bool = false
  ) {
    self.seemsUnsigned = seemsUnsigned
    self.idTokenKeys = idTokenKeys
    self.cookieKeys = cookieKeys
    self.refreshTokens = refreshTokens
  }

  func tokens(
    for account: Account, _ session: Session, in project: Project, now: Date
  ) throws -> SessionTokens {
    EventOrigin.current.subject?.set(uid: account.uid)
    // A new session, not a refresh.
    if session.createdAt == now.wholeMilliseconds {
      let isSignUp = account.createdAt == session.createdAt
      counts.add(isSignUp ? .signUp : .signIn, session.provider.text, in: project.id, now: now)
    }
    let payload = IDTokenPayload(account: account, session: session, project: project, now: now)
    return SessionTokens(
      idToken: try signed(payload.bytes, by: idTokenKeys, in: project),
      refreshToken: refreshTokens.token(
        session: session.id, rotation: session.rotation, project: project.id),
      expiresInSeconds: Self.idTokenLifetimeSeconds)
  }

  func signed(_ payload: [UInt8], by keys: any TokenKeys, in project: Project) throws -> String {
    let token = try keys.writer(project.policies.tokens.algorithm).token(payload: payload)
    return seemsUnsigned ? UnsignedForm.of(token) : token
  }

  /// Verifies an ID token that a client presents: signature, project, times.
  ///
  /// Doesn't check the account or the session: see ``Transaction/currentUser(_:in:)``.
  ///
  /// - Throws: ``AccountsError/tokenExpired`` for a token that has expired and is otherwise valid,
  ///   ``AccountsError/invalidIDToken`` for everything else.
  func verify(
    _ idToken: String, in project: Project, now: Date
  ) throws(AccountsError) -> IDTokenFacts {
    let facts = try IDTokenFacts(try verifiedIDToken(idToken, in: project, now: now))
    EventOrigin.current.subject?.set(uid: facts.uid)
    return facts
  }

  /// Like ``verify(_:in:now:)``, but returns every claim.
  func verifiedIDToken(
    _ idToken: String, in project: Project, now: Date
  ) throws(AccountsError) -> VerifiedToken {
    try verified(
      idToken, issuer: project.issuer, keys: idTokenKeys, refusal: .invalidIDToken, in: project,
      now: now)
  }

  func verified(
    _ text: String, issuer: String, keys: any TokenKeys, refusal: AccountsError,
    in project: Project, now: Date
  ) throws(AccountsError) -> VerifiedToken {
    var policy = TokenPolicy(
      issuers: [issuer], audiences: [project.id.text],
      // Not only the project's present algorithm: tokens from before a change stay valid.
      algorithms: Set(TokenAlgorithm.allCases.map(\.signature)))
    policy.allowsEventsClaim = true
    policy.maximumSubjectBytes = UID.maximumBytes
    do {
      let text = seemsUnsigned ? UnsignedForm.signed(in: text) ?? text : text
      return try TokenVerifier(policy: policy).verify(
        UnverifiedToken(text), keys: keys.keySet, now: now)
    } catch {
      throw error.code == .expired ? .tokenExpired : refusal
    }
  }
}

/// What a verified ID token or session cookie of ours says about its bearer.
///
/// Only the verification of a token creates it. The session or the account may no longer exist.
package struct IDTokenFacts: Hashable, Sendable {
  let uid: UID
  let session: SessionID
  let issuedAt: Date
  /// `auth_time`.
  let authenticatedAt: Date
  let expiresAt: Date

  /// - Throws: `refusal` if a claim is missing or malformed.
  init(
    _ token: VerifiedToken, refusal: AccountsError = .invalidIDToken
  ) throws(AccountsError) {
    guard let uid = token.claims.string("sub").flatMap({ UID($0) }),
      let session = token.claims.object("firebase")?.string("sid").flatMap({ SessionID($0) }),
      let issuedAt = token.claims.date("iat"), let authenticatedAt = token.claims.date("auth_time")
    else { throw refusal }
    self.uid = uid
    self.session = session
    self.issuedAt = issuedAt
    self.authenticatedAt = authenticatedAt
    expiresAt = token.expiresAt
  }
}

/// A finished sign-in.
package struct SignedIn: Sendable {
  package let account: Account
  package let session: Session
  package let tokens: SessionTokens
  /// The sign-in created the account.
  package let isNewUser: Bool

  package init(account: Account, session: Session, tokens: SessionTokens, isNewUser: Bool) {
    self.account = account
    self.session = session
    self.tokens = tokens
    self.isNewUser = isNewUser
  }
}
