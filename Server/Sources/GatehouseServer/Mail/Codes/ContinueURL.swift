import Logging

/// Where the user continues after an action code's link, checked against the project's domains as
/// they are now: anyone can edit a link, and a domain may have been removed since it was created.
struct ContinueURL: Sendable {
  let text: String

  /// - Parameter logger: As in ``ActionLinkSettings/check(continueURL:in:warning:)``.
  /// - Throws: ``APIError`` with `INVALID_CONTINUE_URI` or `UNAUTHORIZED_DOMAIN`.
  init(checking text: String, in project: Project, warning logger: Logger?) throws(APIError) {
    try ActionLinkSettings.check(continueURL: text, in: project, warning: logger)
    self.text = text
  }

  /// The URL with `query` after its own query, and before its fragment.
  func adding(_ query: Query) -> String {
    let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
    let separator = text[..<end].utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return "\(text[..<end])\(separator)\(query.text)\(text[end...])"
  }
}
