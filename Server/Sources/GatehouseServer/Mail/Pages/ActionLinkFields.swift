import GatehouseProtocol

/// The parameters of an action code's link, which the pages' forms repeat:
///
/// ```
/// ?mode&oobCode&apiKey[&continueUrl][&lang][&ibi][&apn][&projectId]
/// ```
///
/// An app that asks for six digits opens the page with `sessionInfo` instead of `oobCode`.
struct ActionLinkFields: Sendable {
  /// The purpose that the link states. A code with another purpose is refused.
  let mode: ActionCode.Purpose
  let apiKey: String
  /// In `--dev` any API key is accepted, so a link may name its project: see ``ActionLinks``.
  let projectID: String?
  /// Nil in a form that needs no code, and until the user has typed the digits for ``sessionID``.
  private(set) var code: String?
  /// `sessionInfo`, as `accounts:sendOobCode` returned it to the app. The user types the digits in
  /// the page.
  let sessionID: String?
  /// Not checked yet: see ``ContinueURL``.
  let continueURL: String?
  /// As in the link. Only a language of ``PageLanguage`` has an effect.
  let language: String?
  /// The bundle id of the app for Apple's devices, and the package name of the app for Android, for
  /// which the link was created. Not checked.
  let bundleID: String?
  let packageName: String?

  private static let names = [
    "mode", "oobCode", "apiKey", "projectId", "continueUrl", "lang", "ibi", "apn", "newPassword",
    "email", "joins", "step", "sessionInfo", "digits",
  ]

  /// - Throws: ``ActionPageFault/incomplete`` if `apiKey` or `mode` is missing, `mode` is unknown,
  ///   the link has both `oobCode` and `sessionInfo`, or a known parameter is given twice: two
  ///   parsers could read such a link differently.
  init(_ fields: FormFields) throws(ActionPageFault) {
    func value(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard fields.repeated(of: Self.names) == nil, let apiKey = value("apiKey"),
      let mode = ActionCode.Purpose.allCases.first(where: {
        value("mode")?.hasSameBytes(as: $0.mode) == true
      })
    else { throw .incomplete }
    self.mode = mode
    self.apiKey = apiKey
    projectID = value("projectId")
    code = value("oobCode")
    sessionID = value("sessionInfo")
    if code != nil && sessionID != nil { throw .incomplete }
    continueURL = value("continueUrl")
    language = value("lang")
    bundleID = value("ibi")
    packageName = value("apn")
  }

  /// Whether the user must type the digits first.
  var needsDigits: Bool { code == nil && sessionID != nil }

  /// The same link with the code that the session id and the digits form; nil if the user didn't
  /// type six digits.
  func with(digits typed: String) -> ActionLinkFields? {
    guard let sessionID, let digits = try? TypedDigits(typed) else { return nil }
    var link = self
    link.code = PresentedCode.text(sessionID: sessionID, digits: digits)
    return link
  }

  /// - Throws: ``ActionPageFault/incomplete``.
  func requireCode() throws(ActionPageFault) -> String {
    guard let code else { throw .incomplete }
    return code
  }

  /// The link's parameters for the app that signs in, as Firebase's page passes them on.
  var forApp: Query {
    Query {
      $0.add("mode", mode.mode)
      $0.add("oobCode", code)
      $0.add("apiKey", apiKey)
      $0.add("lang", language)
    }
  }
}
