public import Foundation

/// What stands in a link that was mailed. Says nothing of whether the code is good.
open class ActionCodeURL: NSObject {
  /// Names the project.
  public let apiKey: String?
  /// ``ActionCodeOperation/unknown`` without a `mode`, or for one that isn't known.
  public let operation: ActionCodeOperation
  /// The code (`oobCode`).
  public let code: String?
  /// Where to go on (`continueUrl`). Whoever wrote the link chose it.
  public let continueURL: URL?
  /// The language of the email (`lang`).
  public let languageCode: String?

  /// - Parameter link: Whole, as it was opened. The link may be within another one, as its `link` or
  ///   `deep_link_id`, and that within a third.
  /// - Returns: nil for a text that is no URL, or a URL without parameters.
  public init?(link: String) {
    let parameters = Self.parameters(of: link, depth: 3)
    guard !parameters.isEmpty else { return nil }
    apiKey = parameters["apiKey"]
    operation = ActionCodeOperation(mode: parameters["mode"] ?? "")
    code = parameters["oobCode"]
    continueURL = parameters["continueUrl"].flatMap(URL.init(string:))
    languageCode = parameters["lang"]
  }

  /// The first of each name; a component without `=` is none.
  private static func parameters(of link: String, depth: Int) -> [String: String] {
    let items = URLComponents(string: link)?.queryItems ?? []
    let pairs = items.compactMap { item in item.value.map { (item.name, $0) } }
    let parameters = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    guard
      depth > 1, parameters["oobCode"] == nil,
      let inner = parameters["link"] ?? parameters["deep_link_id"]
    else { return parameters }
    return Self.parameters(of: inner, depth: depth - 1)
  }
}
