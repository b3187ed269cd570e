import Foundation
import HTTPTypes

/// `/` of a production server, for whoever opens its address in a browser.
struct HomePage: Endpoint {
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      Route(
        method: .get, pattern: "/", name: "home", access: .anyone, envelope: .identityToolkit,
        handle: answer)
    ]
  }

  private func answer(_ call: Call) throws(APIError) -> Answer {
    guard call.head.headerFields.acceptsHTML else { throw .notFound }
    return Answer(HTMLPage(.home, PageLanguage(call), links: configuration.links))
  }
}

/// A link that the operator sets, such as to the terms of service.
package struct PageLink: Sendable {
  let name: String
  let url: String

  /// - Parameter text: `Terms=https://example.com/terms`. Nil for anything but a name and an https URL.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let url = URL(string: String(parts[1])), url.scheme == "https",
      url.host?.isEmpty == false
    else { return nil }
    name = String(parts[0])
    self.url = String(parts[1])
  }
}
