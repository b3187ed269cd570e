package import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Writes questions to blocking functions as JWTs, with Firebase's claims, signed with the keys of ID
/// tokens: functions verify them with the key set in the project's discovery document.
///
/// The audience is the function's URL, so no verifier of the project's ID tokens accepts such a token. The
/// token also names no session, and its type (RFC 8725 §3.11) is not that of ID tokens.
///
/// Source: Firebase, "Extend Firebase Authentication with blocking functions" (understanding the user and
/// context objects), and the emulator's payload.
package struct BlockingFunctionCodec: Sendable {
  private let keys: any TokenKeys

  /// The header's `typ`.
  package static let tokenType = "blocking-function+jwt"
  /// How long the token is valid: the longest time that an operator can give a function to respond. Seconds.
  package static let lifetimeSeconds: TimeInterval = 60

  package init(keys: any TokenKeys) { self.keys = keys }

  /// - Parameters:
  ///   - eventID: The id of this question.
  /// - Throws: The signer's error.
  package func token(
    of question: BlockingQuestion, id eventID: String, to function: BlockingFunction,
    in project: Project, now: Date
  ) throws -> String {
    let context = question.context
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", project.issuer)
      claims.string("aud", function.url)
      claims.date("iat", now)
      claims.date("exp", now.addingTimeInterval(Self.lifetimeSeconds))
      claims.string("sub", question.account.uid.text)
      claims.string("event_id", eventID)
      claims.string("event_type", question.trigger.rawValue)
      claims.string("user_agent", ifPresent: context.source.userAgent)
      // In full, shortened, or left out, as the operator configured it.
      claims.string("ip_address", ifPresent: context.source.address)
      // The code of an unknown language (BCP 47), as in Google's service: functions expect a text.
      claims.string("locale", context.language ?? "und")
      claims.string("sign_in_method", context.method)
      claims.string("sign_in_second_factor", ifPresent: context.secondFactor?.rawValue)
      claims.object("user_record") { Self.write(question.account, to: &$0) }
      guard let identity = context.identity else { return }
      claims.string("raw_user_info", identity.rawUserInfo)
      if let attributes = identity.signInAttributes {
        claims.attributes("sign_in_attributes", attributes)
      }
      Self.write(identity.tokens, project.blockingFunctions.forwarded, to: &claims)
    }
    let signer = keys.writer(project.policies.tokens.algorithm).signer
    return try TokenWriter(signer: signer, type: Self.tokenType).token(payload: payload)
  }

  private static func write(_ account: Account, to record: inout ClaimsWriter) {
    record.string("uid", account.uid.text)
    record.string("email", ifPresent: account.email?.text)
    if account.email != nil { record.bool("email_verified", account.isEmailVerified) }
    record.string("display_name", ifPresent: account.displayName)
    record.string("photo_url", ifPresent: account.photoURL)
    record.string("phone_number", ifPresent: account.phoneNumber)
    record.bool("disabled", account.isDisabled)
    record.object("metadata") { metadata in
      metadata.int("creation_time", milliseconds(account.createdAt))
      if let time = account.lastLoginAt { metadata.int("last_sign_in_time", milliseconds(time)) }
    }
    record.date("tokens_valid_after_time", account.validSince)
    if let custom = account.customClaims { record.object("custom_claims") { $0.custom(custom) } }
    record.objects("provider_data", ProviderData.all(of: account)) { claims, provider in
      claims.string("provider_id", provider.id)
      claims.string("uid", provider.uid)
      claims.string("email", ifPresent: provider.email)
      claims.string("display_name", ifPresent: provider.displayName)
      claims.string("photo_url", ifPresent: provider.photoURL)
      claims.string("phone_number", ifPresent: provider.phoneNumber)
    }
  }

  private static func write(
    _ tokens: ExternalIdentity.ProviderTokens, _ forwarded: ForwardedCredentials,
    to claims: inout ClaimsWriter
  ) {
    func write(_ name: String, _ token: Secret<String>?, _ option: ForwardedCredentials) {
      if forwarded.contains(option) { claims.string(name, ifPresent: token?.reveal()) }
    }
    write("oauth_id_token", tokens.idToken, .idToken)
    write("oauth_access_token", tokens.accessToken, .accessToken)
    write("oauth_refresh_token", tokens.refreshToken, .refreshToken)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    let value = (date.timeIntervalSince1970 * 1000).rounded(.down)
    return Int64(exactly: value) ?? (value < 0 ? .min : .max)
  }
}

/// An element of `provider_data`, in the order in which the protocol lists an account's providers.
private struct ProviderData {
  var id: String
  var uid: String
  var email: String?
  var displayName: String?
  var photoURL: String?
  var phoneNumber: String?

  static func all(of account: Account) -> [ProviderData] {
    var all = account.identities.map { identity in
      ProviderData(
        id: identity.provider.text, uid: identity.subject.text, email: identity.email?.text,
        displayName: identity.displayName, photoURL: identity.photoURL)
    }
    if let number = account.phoneNumber {
      all.append(ProviderData(id: ProviderID.phone.text, uid: number, phoneNumber: number))
    }
    if account.password != nil || account.hasEmailLink, let email = account.email?.text {
      all.append(
        ProviderData(
          id: ProviderID.password.text, uid: email, email: email,
          displayName: account.displayName, photoURL: account.photoURL))
    }
    return all
  }
}
