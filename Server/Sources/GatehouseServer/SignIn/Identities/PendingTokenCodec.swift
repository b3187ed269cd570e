import Crypto
package import Foundation
package import GatehouseProtocol
import GatehouseTokens

/// Writes and reads pending tokens. Such a token is a recently verified identity, encrypted (AES-GCM) and
/// bound to the project. An app uses it after the user has decided something: to repeat the sign-in, or
/// to link the identity to an account. It needs no row in the database and stays valid after a restart.
package struct PendingTokenCodec: Sendable {
  let box: TokenBox

  /// How long a pending token is valid. Seconds.
  package static let lifetimeSeconds: TimeInterval = 600
  private static let maximumBytes = 64 * 1024

  package init(_ master: MasterKey) { self.init(MasterKeyRing(master)) }

  package init(_ ring: MasterKeyRing) { box = TokenBox(ring, purpose: .pending) }

  /// - Parameter verifiedAt: When the provider's token was presented. Kept to the millisecond.
  package func token(
    for identity: ExternalIdentity, verifiedAt: Date, project: ProjectID
  ) throws -> String {
    var fields = FieldWriter()
    fields.write(identity.provider.text)
    fields.write(identity.subject.text)
    fields.write(identity.email?.address.text)
    fields.write(identity.email?.isVerified)
    fields.write(identity.email?.isTrusted)
    fields.write(identity.profile.displayName)
    fields.write(identity.profile.firstName)
    fields.write(identity.profile.lastName)
    fields.write(identity.profile.photoURL)
    fields.write(identity.profile.screenName)
    fields.write(identity.authenticatedAt)
    fields.write(identity.rawUserInfo)
    fields.write(identity.signInAttributes?.jsonText)
    fields.write(identity.isPrivateEmail)
    fields.write(identity.realUserStatus.map { String($0.rawValue) })
    fields.write(identity.tokens.idToken?.reveal())
    fields.write(identity.tokens.accessToken?.reveal())
    fields.write(identity.tokens.refreshToken?.reveal())
    fields.write(identity.issuer)
    fields.write(identity.transferSubject?.text)
    fields.write(identity.issuedAt)
    fields.write(identity.realUserStatusFromApp.map { String($0.rawValue) })
    return try box.seal(fields, writtenAt: verifiedAt.wholeMilliseconds, bound: project.text)
  }

  /// - Throws: ``AccountsError/invalidPendingToken`` if the token belongs to another project, is older
  ///   than ``lifetimeSeconds``, is from the future, or wasn't written by this server.
  package func identity(
    in token: String, project: ProjectID, now: Date
  ) throws(AccountsError) -> (identity: ExternalIdentity, verifiedAt: Date) {
    guard token.utf8.count <= Self.maximumBytes,
      var opened = try? box.open(
        token, bound: project.text, lifetimeSeconds: Self.lifetimeSeconds, now: now),
      let identity = try? Self.identity(&opened.fields)
    else { throw .invalidPendingToken }
    return (identity, opened.writtenAt)
  }

  private static func identity(_ fields: inout FieldReader) throws -> ExternalIdentity {
    guard let provider = try fields.string().flatMap({ ProviderID($0) }),
      let subject = try fields.string().flatMap({ Subject($0) })
    else { throw FieldReader.Malformed() }
    var identity = ExternalIdentity(provider: provider, subject: subject)
    let address = try fields.string().flatMap { EmailAddress($0) }
    let isVerified = try fields.flag()
    let isTrusted = try fields.flag()
    identity.email = address.map {
      AssertedEmail(address: $0, isVerified: isVerified ?? false, isTrusted: isTrusted ?? false)
    }
    identity.profile.displayName = try fields.string()
    identity.profile.firstName = try fields.string()
    identity.profile.lastName = try fields.string()
    identity.profile.photoURL = try fields.string()
    identity.profile.screenName = try fields.string()
    identity.authenticatedAt = try fields.date()
    identity.rawUserInfo = try fields.string() ?? "{}"
    identity.signInAttributes = try fields.string().map { SignInAttributes(written: $0) }
    identity.isPrivateEmail = try fields.flag()
    identity.realUserStatus = try fields.string().flatMap { Int($0) }
      .flatMap { RealUserStatus(rawValue: $0) }
    identity.tokens.idToken = try fields.string().map { Secret($0) }
    identity.tokens.accessToken = try fields.string().map { Secret($0) }
    identity.tokens.refreshToken = try fields.string().map { Secret($0) }
    identity.issuer = try fields.string()
    identity.transferSubject = try fields.string().flatMap { Subject($0) }
    identity.issuedAt = try fields.date()
    identity.realUserStatusFromApp = try fields.string().flatMap { Int($0) }
      .flatMap { RealUserStatus(rawValue: $0) }
    return identity
  }
}
