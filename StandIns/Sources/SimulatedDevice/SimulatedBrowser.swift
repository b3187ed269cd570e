public import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A browser without a display: it follows redirects, keeps cookies, and submits a page's form,
/// until it reaches an address of the app.
///
/// The person of the device signs in at the simulator. It runs no scripts.
public struct SimulatedBrowser: Sendable {
  /// The browser didn't reach an address of the app.
  public struct Lost: Error, CustomStringConvertible {
    public var description: String
  }

  public init() {}

  private static let stepsMax = 30

  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpShouldSetCookies = true
    configuration.httpCookieAcceptPolicy = .always
    return URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }()

  /// - Parameter isCallback: Whether an address belongs to the app.
  /// - Throws: ``Lost``, or the error that ended the task.
  public func open(_ url: URL, until isCallback: @Sendable (URL) -> Bool) async throws -> URL {
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: url, timeoutInterval: 60)
    for _ in 0..<Self.stepsMax {
      let device = SimulatedDevice.current
      if case .waits = device.decision { try await Task.sleep(for: .seconds(600)) }
      guard !device.isOffline else { throw Lost(description: "offline") }
      if let url = request.url { request.url = Self.decide(url, device) }
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse, let at = request.url else {
        throw Lost(description: "no response")
      }
      if let location = response.value(forHTTPHeaderField: "location"),
        let next = URL(string: location, relativeTo: at)?.absoluteURL
      {
        if isCallback(next) { return next }
        request = URLRequest(url: next, timeoutInterval: 60)
        continue
      }
      let page = Page(String(decoding: data, as: UTF8.self))
      if let next = page.returnLink(isCallback) { return next }
      guard let form = page.form(at: at) else {
        throw Lost(description: "\(response.statusCode) at \(at.path): \(page.text.prefix(500))")
      }
      request = form
    }
    throw Lost(description: "more than \(Self.stepsMax) steps")
  }

  /// Adds the person and their decision to a request to the simulator.
  private static func decide(_ url: URL, _ device: SimulatedDevice) -> URL {
    guard url.absoluteString.hasPrefix(device.simulatorURL),
      url.path.hasSuffix("/authorize") || url.path.hasSuffix("/v2/auth")
        || url.path.hasSuffix("/dialog/oauth"),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    else { return url }
    var query = parts.percentEncodedQuery ?? ""
    query += "&person=\(SimulatorCall.escape(device.person))"
    if device.hidesEmail { query += "&email=hide" }
    if case .cancels = device.decision { query += "&decision=cancel" }
    parts.percentEncodedQuery = query
    return parts.url ?? url
  }
}

/// Lets the browser follow each redirect itself.
private final class NoRedirects: NSObject, URLSessionTaskDelegate, Sendable {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
