import Foundation
import GatehouseModel
import GatehouseTokens

/// The claims of an ID token, with Firebase's names.
///
/// Source: Firebase, "Verify ID Tokens" (ID token payload claims). `firebase.sid` is ours: it lets
/// our endpoints refuse a token whose session has ended before the token does.
struct IDTokenPayload {
  let account: Account
  let session: Session
  let project: Project
  let now: Date

  var bytes: [UInt8] {
    ClaimsWriter.payload { claims in
      write(to: &claims)
    }
  }

  private func write(to claims: inout ClaimsWriter) {
    claims.string("iss", project.issuer)
    claims.string("aud", project.id.text)
    claims.date("auth_time", session.authenticatedAt)
    claims.string("user_id", account.uid.text)
    claims.string("sub", account.uid.text)
    claims.date("iat", now)
    claims.date(
      "exp", now.addingTimeInterval(TimeInterval(SessionIssuer.idTokenLifetimeSeconds)))
    if session.provider == .anonymous { claims.string("provider_id", "anonymous") }
    claims.string("name", ifPresent: account.displayName)
    claims.string("picture", ifPresent: account.photoURL)
    if let email = account.email {
      claims.string("email", email.text)
      claims.bool("email_verified", account.isEmailVerified)
    }
    if let phoneNumber = account.phoneNumber { claims.string("phone_number", phoneNumber) }
    claims.object("firebase") { firebase in
      firebase.object("identities") { identities in
        if let email = account.email { identities.strings("email", [email.text]) }
        if let phoneNumber = account.phoneNumber { identities.strings("phone", [phoneNumber]) }
        for identity in account.identities {
          identities.strings(identity.provider.text, [identity.subject.text])
        }
      }
      firebase.string("sign_in_provider", session.provider.text)
      if let attributes = session.signInAttributes {
        firebase.json("sign_in_attributes", attributes)
      }
      firebase.string("sid", session.id.description)
    }
    // The token that began the session knows more than what is kept of the account: its claims
    // come first, and the first of a name wins.
    if let developer = session.developerClaims { claims.custom(developer) }
    if let custom = account.customClaims { claims.custom(custom) }
  }
}
