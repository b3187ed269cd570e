import Foundation
import GatehouseProtocol

extension UserSnapshot {
  /// The account as the server describes it.
  init(_ account: AccountInfo) {
    self.init(uid: account.uid)
    isAnonymous =
      account.providers.isEmpty && account.email == nil && account.phoneNumber == nil
      && account.passkeys.isEmpty && !account.isCustom
    email = account.email
    isEmailVerified = account.isEmailVerified
    displayName = account.displayName
    photoURL = account.photoURL
    phoneNumber = account.phoneNumber
    providers = account.providers
    secondFactors = account.secondFactors
    recoveryCodesLeft = account.recoveryCodesLeft
    passkeys = account.passkeys
    createdAt = account.createdAt
    lastSignInAt = account.lastSignInAt
    tenantID = account.tenantID
  }

  /// The claims of an ID token about its user: less than the server knows, but available without a
  /// request.
  init(claims token: IDToken) {
    self.init(uid: token.subject)
    isAnonymous = token.signInProvider == .anonymous
    email = token.claims["email"]?.string
    isEmailVerified = token.claims["email_verified"]?.bool ?? false
    displayName = token.claims["name"]?.string
    photoURL = token.claims["picture"]?.string.flatMap { URL(string: $0) }
    phoneNumber = token.claims["phone_number"]?.string
    lastSignInAt = token.authenticatedAt
    tenantID = token.claims["firebase"]?["tenant"]?.string
    for identity in token.claims["firebase"]?["identities"]?.object?.members ?? [] {
      for subject in identity.value.array ?? [] {
        guard let uid = subject.string, let provider = Self.provider(identity.name) else {
          continue
        }
        providers.append(LinkedProvider(provider: provider, uid: uid))
      }
    }
    if token.signInProvider == .password, let email, provider(.password) == nil {
      var password = LinkedProvider(provider: .password, uid: email)
      password.email = email
      providers.append(password)
    }
  }

  /// The provider of an entry in `identities`. Nil for `email`, which isn't a provider.
  private static func provider(_ name: String) -> Provider? {
    switch name {
    case "email": nil
    case "phone": .phone
    default: Provider(name)
    }
  }
}
