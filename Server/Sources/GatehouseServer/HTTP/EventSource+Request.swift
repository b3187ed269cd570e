import GatehouseProtocol
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

  /// The text without characters that disturb lines, cut at ``textLimit``.
  ///
  /// Goes through the scalars once. To remove the last character again and again would take quadratic
  /// time: in a row of flags, each search for it reads the whole row.
  private static func shortened(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    var shortened = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars where !scalar.disturbsLines {
      bytes += scalar.utf8.count
      guard bytes <= textLimit else { break }
      shortened.append(scalar)
    }
    return String(shortened)
  }
}

extension HTTPField.Name {
  /// The literals are valid tokens (RFC 9110 §5.6.2), so the fallbacks are never used.
  fileprivate static let iosBundleIdentifier =
    HTTPField.Name("x-ios-bundle-identifier") ?? .authorization
  fileprivate static let androidPackage = HTTPField.Name("x-android-package") ?? .authorization
}
