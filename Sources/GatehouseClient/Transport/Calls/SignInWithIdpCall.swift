import GatehouseJSON
import GatehouseWire

/// `accounts:signInWithIdp`: signs in, links or re-authenticates with a provider's credential.
struct SignInWithIdpCall: ServerCall {
  enum Purpose: Sendable {
    case signIn
    /// Signs in, but creates no account for a new identity.
    case signInAsking
    case link(idToken: String)
    case reauthenticate
  }

  var credential: IdentityProviderCredential
  var purpose: Purpose
  var consent: Consent?

  var path: String { "v1/accounts:signInWithIdp" }

  /// A token with a nonce can be used once, so a repetition would be refused as a duplicate. The
  /// result of a sign-in in a browser can be used once as well.
  var isRepeatable: Bool {
    credential.pendingToken != nil
      || (credential.rawNonce == nil && credential.redirect == nil
        && credential.authorizationCode == nil)
  }

  func write(to writer: inout JSONWriter) {
    writer.member("requestUri", credential.redirect?.requestURI ?? "http://localhost")
    if let pendingToken = credential.pendingToken {
      writer.member("pendingToken", pendingToken)
      writer.member(
        "postBody", PercentEncoding.form([("providerId", credential.provider.rawValue)]))
    } else {
      writer.member("postBody", postBody)
      writer.member(
        "sessionId", ifPresent: credential.redirect?.sessionID ?? credential.nonceSessionID)
    }
    writer.member("returnSecureToken", true)
    switch purpose {
    case .signIn: writer.member("returnIdpCredential", true)
    case .signInAsking:
      writer.member("returnIdpCredential", true)
      writer.member("ifNew", "ask")
    case .link(let idToken):
      writer.member("returnIdpCredential", true)
      writer.member("idToken", idToken)
    case .reauthenticate:
      writer.member("returnIdpCredential", true)
      writer.member("autoCreate", false)
    }
    consent?.write(to: &writer)
  }

  /// Form data, with `user` last: a parser may read everything that follows it as part of it.
  private var postBody: String {
    PercentEncoding.form([
      ("providerId", credential.provider.rawValue),
      ("id_token", credential.idToken),
      ("nonce", credential.rawNonce),
      ("access_token", credential.accessToken),
      ("oauth_token_secret", credential.secret),
      ("code", credential.authorizationCode),
      ("user", credential.fullName.flatMap(Self.userJSON)),
    ])
  }

  /// In the format of Apple's form: `{"name":{"firstName":…,"lastName":…}}`.
  private static func userJSON(_ name: PersonName) -> String? {
    guard !name.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.object {
      $0.object("name") {
        $0.member("firstName", ifPresent: name.givenName)
        $0.member("lastName", ifPresent: name.familyName)
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  func answer(_ fields: WireFields) throws(WireError) -> SignInWithIdpAnswer {
    try SignInWithIdpAnswer(fields, sent: credential)
  }
}

extension Consent {
  func write(to writer: inout JSONWriter) {
    writer.object("consent") {
      $0.member("version", version)
      $0.member("joins", joins)
    }
  }
}
