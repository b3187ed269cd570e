import Foundation

/// A link that was mailed to somebody who wants to sign in.
enum MailedLink {
  /// Links within links are looked into so deep.
  private static let depthMax = 3

  /// The code in `link`, or in the link that it carries.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` where there is none.
  static func code(in link: String) throws(ClientError) -> String {
    var next: String? = link
    for _ in 0..<depthMax {
      guard let text = next else { break }
      let items = URLComponents(string: text)?.queryItems ?? []
      func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
      if let code = value("oobCode"), !code.isEmpty { return code }
      next = value("link") ?? value("deep_link_id")
    }
    throw .invalidArgument(detail: "The link holds no code.")
  }
}
