import GatehouseProtocol
import Logging

/// The parts of a code's link that a request may choose. They are checked, because users trust the
/// link as the operator's.
struct ActionLinkSettings: Sendable {
  /// Where the user continues. Checked with `check(continueURL:in:warning:)`.
  private(set) var continueURL: String?
  /// The host of the link, one of the project's authorized domains.
  private(set) var linkDomain: String?
  /// The apps that may open the link, under their names in Google's links: `ibi` is an iOS bundle
  /// id, `apn` an Android package name, `amv` the lowest version of the Android app.
  private(set) var app: [(name: String, value: String)] = []

  private static let maximumAppBytes = 255

  init() {}

  /// - Parameter logger: Set in `--dev`, where a continue URL may be on any host, as in the
  ///   emulator, while the project's authorized domains are only this machine's: logs a URL that a
  ///   production server would reject. If it is nil, such a URL is rejected.
  /// - Throws: ``APIError`` with `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`, `MISSING_CONTINUE_URI`,
  ///   `INVALID_HOSTING_LINK_DOMAIN`, `MISSING_ANDROID_PACKAGE_NAME`, or a code that names the
  ///   invalid field of an app.
  init(
    _ request: SendOobCodeRequest, in project: Project, warning logger: Logger?
  ) throws(APIError) {
    if let text = request.continueURL {
      try Self.check(continueURL: text, in: project, warning: logger)
      continueURL = text
    } else if request.canHandleCodeInApp {
      // The app is opened at this URL.
      throw .refused(.missingContinueURI)
    }
    if let domain = request.linkDomain {
      guard project.authorizedDomains.containsBytes(of: domain) else {
        throw .refused(
          .invalidHostingLinkDomain,
          "The link's domain isn't among the project's authorized "
            + "domains.")
      }
      linkDomain = domain
    }
    let wantsAndroid = request.androidInstallApp || request.androidMinimumVersion != nil
    if wantsAndroid && request.androidPackageName == nil {
      throw .refused(.missingAndroidPackageName)
    }
    try add("ibi", request.iOSBundleID, .invalidIOSBundleID)
    try add("apn", request.androidPackageName, .invalidAndroidPackageName)
    try add("amv", request.androidMinimumVersion, .invalidAndroidMinimumVersion)
  }

  /// The URL has to be absolute, with https, or with http on this machine, without user information or
  /// anything that browsers could read differently than this server, and with exactly the host of an
  /// authorized domain: the button of the action page adds an unused code to it. With a `logger`, http is
  /// accepted everywhere, and any host until the project has a domain that isn't this machine's name.
  ///
  /// - Throws: ``APIError`` with `INVALID_CONTINUE_URI` or `UNAUTHORIZED_DOMAIN`.
  static func check(
    continueURL text: String, in project: Project, warning logger: Logger?
  ) throws(APIError) {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    guard let url = OutboundURL(String(text[..<end])),
      text[end...].utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      text.utf8.count <= OutboundURL.maximumBytes
    else {
      throw .refused(.invalidContinueURI, "Missing domain in continue url")
    }
    let domains = project.authorizedDomains
    if url.isAuthorized(by: domains, isDevelopment: logger != nil) { return }
    if url.isAuthorized(by: domains, isDevelopment: true) {
      throw .refused(.unauthorizedDomain, "The continueUrl has to begin with https://")
    }
    guard let logger, project.authorizedDomains.allSatisfy(Self.namesThisMachine) else {
      throw .refused(.unauthorizedDomain, "Domain not allowlisted by project")
    }
    logger.warning(
      """
      The host of a continueUrl isn't one of the project's authorized domains. A production \
      server rejects it: add the host to authorizedDomains.
      """, metadata: ["host": "\(url.host)", "project": "\(project.id)"])
  }

  private static func namesThisMachine(_ domain: String) -> Bool {
    domain.hasSameBytes(as: "localhost") || domain.hasSameBytes(as: "127.0.0.1")
  }

  private mutating func add(
    _ name: String, _ value: String?, _ code: ErrorCode
  ) throws(APIError) {
    guard let value else { return }
    guard value.utf8.count <= Self.maximumAppBytes,
      value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .refused(code) }
    app.append((name, value))
  }
}
