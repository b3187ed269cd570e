public import Foundation

/// The parameters of an emailed link. Doesn't check whether the code is valid.
open class ActionCodeURL: NSObject {
  /// Identifies the project.
  public let apiKey: String?
  /// ``ActionCodeOperation/unknown`` if the link has no `mode`, or an unknown one.
  public let operation: ActionCodeOperation
  /// The code (`oobCode`).
  public let code: String?
  /// The URL to continue to (`continueUrl`). It is not trusted: the author of the link chose it.
  public let continueURL: URL?
  /// The language of the email (`lang`).
  public let languageCode: String?

  /// - Parameter link: The whole link, as it was opened. The emailed link may be the parameter
  ///   `link` or `deep_link_id` of another link, and that link may be nested in a third one.
  /// - Returns: nil if the text is not a URL, or the link has no parameters with a value.
  public init?(link: String) {
    let parameters = Self.parameters(of: link, depth: 3)
    guard !parameters.isEmpty else { return nil }
    apiKey = parameters["apiKey"]
    operation = ActionCodeOperation(mode: parameters["mode"] ?? "")
    code = parameters["oobCode"]
    continueURL = parameters["continueUrl"].flatMap(URL.init(string:))
    languageCode = parameters["lang"]
  }

  /// The first value of each name. A component without `=` is ignored.
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
