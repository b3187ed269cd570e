import GatehouseAuth
import Foundation

enum ActionCodeAPI {
  static func settings() {
    let settings = ActionCodeSettings()
    let _: URL? = settings.url
    settings.url = nil
    let _: Bool = settings.handleCodeInApp
    settings.handleCodeInApp = true
    let _: String? = settings.iOSBundleID
    settings.iOSBundleID = nil
    let _: String? = settings.androidPackageName
    settings.androidPackageName = nil
    let _: String? = settings.androidMinimumVersion
    settings.androidMinimumVersion = nil
    let _: Bool = settings.androidInstallIfNotAvailable
    settings.androidInstallIfNotAvailable = true
    let _: String? = settings.linkDomain
    settings.linkDomain = nil
    let _: (String, Bool, String?) -> Void =
      settings.setAndroidPackageName(_:installIfNotAvailable:minimumVersion:)
    let _: (String) -> Void = settings.setIOSBundleID(_:)
  }

  static func info(_ info: ActionCodeInfo) {
    let _: ActionCodeOperation = info.operation
    let _: String = info.email
    let _: String? = info.previousEmail
  }

  static func url(_ url: ActionCodeURL) {
    let _: (String) -> ActionCodeURL? = ActionCodeURL.init(link:)
    let _: String? = url.apiKey
    let _: ActionCodeOperation = url.operation
    let _: String? = url.code
    let _: URL? = url.continueURL
    let _: String? = url.languageCode
  }

  static func operation(_ operation: ActionCodeOperation) {
    let _: any Sendable = operation
    let _: Int = operation.rawValue
    switch operation {
    case .unknown, .passwordReset, .verifyEmail, .recoverEmail, .emailLink, .verifyAndChangeEmail,
      .revertSecondFactorAddition:
      break
    }
  }
}
