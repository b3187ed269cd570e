import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The claims of an ID token, with Firebase's names.
///
/// Source: Firebase, "Verify ID Tokens" (ID token payload claims). `firebase.sid` is our own: with
/// it our endpoints reject a token whose session ended before the token expired.
struct IDTokenPayload {
  let account: Account
  let session: Session
  let project: Project
  let now: Date

  /// With header and signature, a token with such a payload is shorter than `TokenLimits.standard`, the
  /// limit of our own endpoints. Bytes.
  static let maximumBytes = 11 * 1024

  /// The payload, at most ``maximumBytes`` long.
  ///
  /// An account may contain too much for a token, because it has many providers. If the payload is
  /// too long, parts are left out in the order of `Parts.dispensable`. So the user still gets a valid token, and can correct the account with it.
  /// Claims of the project's own back end are bounded and stay.
  var bytes: [UInt8] {
    var left: Parts = .all
    for part in Parts.dispensable {
      let payload = payload(with: left)
      if payload.count <= Self.maximumBytes { return payload }
      left.remove(part)
    }
    return payload(with: left)
  }

  /// The parts that may be left out.
  private struct Parts: OptionSet {
    let rawValue: Int

    static let signInAttributes = Parts(rawValue: 1)
    static let picture = Parts(rawValue: 2)
    static let name = Parts(rawValue: 4)
    /// The identities of other providers than the session's.
    static let otherIdentities = Parts(rawValue: 8)

    /// The least important first.
    static let dispensable: [Parts] = [.signInAttributes, .picture, .name, .otherIdentities]
    static let all: Parts = [.signInAttributes, .picture, .name, .otherIdentities]
  }

  /// `auth_time`: when the user authenticated, or `validSince` if that is later.
  ///
  /// Google's Admin SDK for Node.js compares `auth_time` with `validSince`, and takes a token with an
  /// earlier `auth_time` for a revoked one. This token is valid, however long ago the user authenticated.
  /// An administrator can set a `validSince` in the future: then the token is revoked, and the session's
  /// beginning is the limit.
  ///
  /// A session of an unconfirmed credential gets no later time. An attacker with a stolen ID token may have
  /// linked such a credential: after an administrator's revocation, the attacker would seem to have
  /// authenticated just now.
  private var authenticatedAt: Date {
    guard !account.hasUnconfirmed(session.provider) else { return session.authenticatedAt }
    return max(session.authenticatedAt, min(account.validSince, session.createdAt))
  }

  private static let namesOfAccount = ["email", "email_verified", "phone_number", "provider_id"]

  private func payload(with parts: Parts) -> [UInt8] {
    ClaimsWriter.payload { claims in write(to: &claims, parts) }
  }

  private func write(to claims: inout ClaimsWriter, _ parts: Parts) {
    claims.string("iss", project.issuer)
    claims.string("aud", project.id.text)
    claims.date("auth_time", authenticatedAt)
    claims.string("user_id", account.uid.text)
    claims.string("sub", account.uid.text)
    claims.date("iat", now)
    claims.date(
      "exp", now.addingTimeInterval(TimeInterval(SessionIssuer.idTokenLifetimeSeconds)))
    if session.provider == .anonymous { claims.string("provider_id", "anonymous") }
    if parts.contains(.name), let name = account.displayName, !name.isEmpty {
      claims.string("name", name)
    }
    if parts.contains(.picture), let picture = account.photoURL, !picture.isEmpty {
      claims.string("picture", picture)
    }
    if let email = account.email {
      claims.string("email", email.text)
      claims.bool("email_verified", account.isEmailVerified)
    }
    if let phoneNumber = account.phoneNumber { claims.string("phone_number", phoneNumber) }
    claims.object("firebase") { firebase in
      firebase.object("identities") { identities in
        if let email = account.email { identities.strings("email", [email.text]) }
        if let phoneNumber = account.phoneNumber { identities.strings("phone", [phoneNumber]) }
        for identity in account.identities
        where parts.contains(.otherIdentities) || identity.provider == session.provider {
          identities.strings(identity.provider.text, [identity.subject.text])
        }
      }
      firebase.string("sign_in_provider", session.provider.text)
      if let factor = session.secondFactor {
        firebase.string("sign_in_second_factor", factor.method.rawValue)
        firebase.string("second_factor_identifier", factor.id)
      }
      if parts.contains(.signInAttributes), let attributes = session.signInAttributes {
        firebase.attributes("sign_in_attributes", attributes)
      }
      firebase.string("sid", session.id.description)
    }
    if session.developerClaims == nil && account.customClaims == nil { return }
    // Back ends read these from the account. As in Firebase's emulator, a developer's claims can't
    // give the account an address that it does not have.
    claims.reserve(Self.namesOfAccount)
    // The session's claims are more specific than those of the account. They come first, and the
    // first claim of a name wins.
    if let developer = session.developerClaims { claims.custom(developer) }
    if let custom = account.customClaims { claims.custom(custom) }
  }
}
