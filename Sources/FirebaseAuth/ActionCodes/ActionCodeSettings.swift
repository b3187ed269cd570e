public import Foundation
package import GatehouseClient

/// Where a mailed link leads.
///
/// Not safe to change from two threads at once.
open class ActionCodeSettings: NSObject {
  private var settings = ActionLinkSettings()

  override public init() { super.init() }

  /// What the client is given.
  package var linkSettings: ActionLinkSettings { settings }

  /// Where to go on: of the project's authorised domains.
  open var url: URL? {
    get { settings.continueURL }
    set { settings.continueURL = newValue }
  }
  /// Whether the app follows the link rather than a page of the server's.
  open var handleCodeInApp: Bool {
    get { settings.handleCodeInApp }
    set { settings.handleCodeInApp = newValue }
  }
  open var iOSBundleID: String? {
    get { settings.iosBundleID }
    set { settings.iosBundleID = newValue }
  }
  open var androidPackageName: String? {
    get { settings.androidPackageName }
    set { settings.androidPackageName = newValue }
  }
  open var androidMinimumVersion: String? {
    get { settings.androidMinimumVersion }
    set { settings.androidMinimumVersion = newValue }
  }
  open var androidInstallIfNotAvailable: Bool {
    get { settings.androidInstallIfNotAvailable }
    set { settings.androidInstallIfNotAvailable = newValue }
  }
  /// The domain of the link, where the project has several.
  public var linkDomain: String? {
    get { settings.linkDomain }
    set { settings.linkDomain = newValue }
  }
  /// What links' domain was called before Firebase 12.
  @available(*, deprecated, renamed: "linkDomain")
  open var dynamicLinkDomain: String? {
    get { settings.linkDomain }
    set { settings.linkDomain = newValue }
  }

  open func setAndroidPackageName(
    _ androidPackageName: String, installIfNotAvailable: Bool, minimumVersion: String?
  ) {
    settings.androidPackageName = androidPackageName
    settings.androidInstallIfNotAvailable = installIfNotAvailable
    settings.androidMinimumVersion = minimumVersion
  }

  open func setIOSBundleID(_ bundleID: String) { settings.iosBundleID = bundleID }
}
