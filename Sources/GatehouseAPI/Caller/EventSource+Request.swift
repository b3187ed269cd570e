import GatehouseAccounts
import GatehouseModel
import HTTPTypes
import Hummingbird
import Logging

extension EventSource {
  /// Reads the source of an event from a request: the client's address, the user agent, the app,
  /// and the request's id.
  init(_ request: Request, _ context: APIRequestContext, _ configuration: APIConfiguration) {
    let address = configuration.proxies.address(of: context.peer, request.headers)
    self.init(
      address: configuration.clientAddresses.text(of: address),
      userAgent: Self.shortened(request.headers[.userAgent]), app: Self.app(request.headers),
      request: context.logger[metadataKey: "hb.request.id"]?.description)
  }

  /// The app's name, from the headers that Firebase's SDKs send. The name of a web page is its
  /// origin.
  private static func app(_ headers: HTTPFields) -> String? {
    for name in [HTTPField.Name.iosBundleIdentifier, .androidPackage, .origin] {
      if let app = shortened(headers[name]) { return app }
    }
    return nil
  }

  private static func shortened(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    let printable = text.unicodeScalars.filter { !$0.disturbsLines }
    var shortened = String(String.UnicodeScalarView(printable))
    while shortened.utf8.count > textLimit { shortened.removeLast() }
    return shortened
  }
}

extension HTTPField.Name {
  /// The literals are valid tokens (RFC 9110 §5.6.2), so the fallbacks are never used.
  fileprivate static let iosBundleIdentifier =
    HTTPField.Name("x-ios-bundle-identifier") ?? .authorization
  fileprivate static let androidPackage = HTTPField.Name("x-android-package") ?? .authorization
}
