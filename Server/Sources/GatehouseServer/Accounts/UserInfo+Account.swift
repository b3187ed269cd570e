import Foundation
package import GatehouseProtocol
import GatehouseTokens

extension UserInfo {
  /// - Parameters:
  ///   - forAdministrator: Adds the data that only administrators of the project may see.
  ///   - revokedOnDeletion: See `AccountsService.ownAccount(ofIDToken:in:now:)`.
  package init(
    _ account: Account, forAdministrator: Bool = false, revokedOnDeletion: [ProviderID] = [],
    passkeys: [Passkey] = []
  ) {
    self.init(localID: account.uid.text)
    email = account.email?.text
    emailVerified = account.email == nil ? nil : account.isEmailVerified
    displayName = account.displayName
    photoURL = account.photoURL
    phoneNumber = account.phoneNumber
    hasPassword = account.password != nil
    hasEmailLink = account.hasEmailLink
    passwordUpdatedAt = account.passwordUpdatedAt.map(Self.milliseconds)
    validSince = Self.milliseconds(account.validSince) / 1000
    disabled = account.isDisabled
    createdAt = Self.milliseconds(account.createdAt)
    lastLoginAt = account.lastLoginAt.map(Self.milliseconds)
    lastRefreshAt = account.lastRefreshAt?.withMilliseconds
    customAttributes = account.customClaims?.jsonText
    isCustomAuth = account.isCustom
    language = account.language
    initialEmail = account.initialEmail?.text
    self.passkeys = passkeys.map { PasskeyInfo($0) }
    if forAdministrator {
      deletionScheduledFor = account.deletionScheduledFor.map(Self.milliseconds)
    }
    mfaInfo = account.secondFactors?.factors.map {
      MFAEnrollment($0, isObfuscated: false)
    }
    recoveryCodesLeft = account.secondFactors.flatMap { factors in
      factors.factors.isEmpty ? nil : factors.recoveryCodes.count
    }
    providers = Self.providers(of: account, forAdministrator: forAdministrator)
    for index in providers.indices {
      providers[index].isRevokedOnDeletion = revokedOnDeletion.contains {
        providers[index].providerID == $0.text
      }
    }
  }

  /// Identities in the order in which they were linked, then phone and password: apps show the name
  /// and picture of the first one.
  private static func providers(
    of account: Account, forAdministrator: Bool
  ) -> [ProviderUserInfo] {
    var providers: [ProviderUserInfo] = []
    for identity in account.identities {
      var info = ProviderUserInfo(
        providerID: identity.provider.text, rawID: identity.subject.text)
      info.federatedID = identity.subject.text
      info.email = identity.email?.text
      info.displayName = identity.displayName
      info.photoURL = identity.photoURL
      info.screenName = identity.screenName
      info.consentRevokedAt = identity.consentRevokedAt.map(Self.milliseconds)
      if forAdministrator {
        info.isPrivateEmail = identity.isPrivateEmail
        info.realUserStatus = identity.realUserStatus?.rawValue
        info.realUserStatusFromApp = identity.realUserStatusFromApp?.rawValue
        info.isForwardingDisabled = identity.isForwardingDisabled
      }
      providers.append(info)
    }
    if let phoneNumber = account.phoneNumber {
      var info = ProviderUserInfo(providerID: ProviderID.phone.text, rawID: phoneNumber)
      info.phoneNumber = phoneNumber
      providers.append(info)
    }
    if account.password != nil || account.hasEmailLink, let email = account.email?.text {
      var info = ProviderUserInfo(providerID: ProviderID.password.text, rawID: email)
      info.federatedID = email
      info.email = email
      info.displayName = account.displayName
      info.photoURL = account.photoURL
      providers.append(info)
    }
    return providers
  }

  /// Milliseconds since 1970. A time outside the integer's range becomes the nearest value in it.
  static func milliseconds(_ date: Date) -> Int64 {
    let value = (date.timeIntervalSince1970 * 1000).rounded(.down)
    return Int64(exactly: value) ?? (value < 0 ? .min : .max)
  }
}
