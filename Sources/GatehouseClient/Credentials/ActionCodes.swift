public import Foundation

/// Where a link in an email leads.
public struct ActionLinkSettings: Sendable, Hashable {
  public var continueURL: URL?
  public var handleCodeInApp = false
  public var iosBundleID: String?
  public var androidPackageName: String?
  public var androidMinimumVersion: String?
  public var androidInstallIfNotAvailable = false
  public var linkDomain: String?

  public init() {}
}

/// What an emailed code is for.
public struct ActionCodeContents: Sendable, Hashable {
  /// The server's name for the purpose: `PASSWORD_RESET`, `VERIFY_EMAIL`, `EMAIL_SIGNIN`,
  /// `RECOVER_EMAIL`, `VERIFY_AND_CHANGE_EMAIL`.
  public var requestType: String
  public var email: String?
  public var newEmail: String?
}
