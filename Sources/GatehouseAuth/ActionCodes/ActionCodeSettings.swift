public import Foundation
package import GatehouseClient

/// Where an emailed link leads.
///
/// Not safe to change from two threads at once.
open class ActionCodeSettings: NSObject {
  private var settings = ActionLinkSettings()

  override public init() { super.init() }

  /// The settings in the client's type.
  package var linkSettings: ActionLinkSettings { settings }

  /// The URL to continue to afterwards. Its domain must be one of the project's authorized domains.
  open var url: URL? {
    get { settings.continueURL }
    set { settings.continueURL = newValue }
  }
  /// Whether the app handles the link, instead of a page of the server.
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
  /// The domain of the link, if the project has several.
  public var linkDomain: String? {
    get { settings.linkDomain }
    set { settings.linkDomain = newValue }
  }
  /// The earlier name of ``linkDomain``.
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
