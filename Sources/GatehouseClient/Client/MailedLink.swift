import Foundation

/// A sign-in link from an email.
enum MailedLink {
  /// How many nested links are searched.
  private static let depthMax = 3

  /// The code in `link`, or in a link inside it.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` if there is no code.
  static func code(in link: String) throws(ClientError) -> String {
    var next: String? = link
    for _ in 0..<depthMax {
      guard let text = next else { break }
      let items = URLComponents(string: text)?.queryItems ?? []
      func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
      if let code = value("oobCode"), !code.isEmpty { return code }
      next = value("link") ?? value("deep_link_id")
    }
    throw .invalidArgument(detail: "The link contains no code.")
  }
}
