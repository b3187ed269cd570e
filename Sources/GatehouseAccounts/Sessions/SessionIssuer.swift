import Foundation
import GatehouseModel
package import GatehouseTokens

/// The keys of our own tokens, as they are at this moment.
package protocol TokenKeys: Sendable {
  /// What signs now.
  var writer: TokenWriter { get }
  /// Everything that may have signed a token which still lives.
  var keySet: KeySet { get }
}

/// The one place that makes and checks the tokens of a session.
package struct SessionIssuer: Sendable {
  private let keys: any TokenKeys
  let refreshTokens: RefreshTokenCodec

  /// How long an ID token lives. Seconds.
  package static let idTokenLifetimeSeconds = 3600

  package init(keys: any TokenKeys, refreshTokens: RefreshTokenCodec) {
    self.keys = keys
    self.refreshTokens = refreshTokens
  }

  func tokens(
    for account: Account, _ session: Session, in project: Project, now: Date
  ) throws -> IssuedTokens {
    let payload = IDTokenPayload(account: account, session: session, project: project, now: now)
    return IssuedTokens(
      idToken: try keys.writer.token(payload: payload.bytes),
      refreshToken: refreshTokens.token(
        session: session.id, rotation: session.rotation, project: project.id),
      expiresInSeconds: Self.idTokenLifetimeSeconds)
  }

  /// Checks an ID token that a client presents: signature, project, times.
  ///
  /// Doesn't look at the account or the session: see ``StoreTransaction/caller(_:in:)``.
  ///
  /// - Throws: ``AccountsError/tokenExpired`` for one that is past its time and otherwise good,
  ///   ``AccountsError/invalidIDToken`` for everything else.
  func verify(
    _ idToken: String, in project: Project, now: Date
  ) throws(AccountsError) -> IDTokenFacts {
    var policy = TokenPolicy(
      issuers: [project.issuer], audiences: [project.id.text], algorithms: [.rs256])
    policy.allowsEventsClaim = true
    let token: VerifiedToken
    do {
      token = try TokenVerifier(policy: policy).verify(
        UnverifiedToken(idToken), keys: keys.keySet, now: now)
    } catch {
      throw error.code == .expired ? .tokenExpired : .invalidIDToken
    }
    guard let uid = token.claims.string("sub").flatMap({ UID($0) }),
      let sid = token.claims.object("firebase")?.string("sid").flatMap({ SessionID($0) }),
      let issuedAt = token.claims.date("iat")
    else { throw .invalidIDToken }
    return IDTokenFacts(uid: uid, session: sid, issuedAt: issuedAt)
  }
}

/// What a verified ID token of ours says about its bearer.
struct IDTokenFacts: Hashable, Sendable {
  let uid: UID
  let session: SessionID
  let issuedAt: Date
}
