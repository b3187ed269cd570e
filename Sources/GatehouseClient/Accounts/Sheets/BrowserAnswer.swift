import Foundation

/// The address at which a sign-in in a browser ended, taken apart.
///
/// The server's page leads to
/// `<redirect URL>?deep_link_id=<https://…/__/auth/callback?authType=…&eventId=…&link=…>`, or with
/// `firebaseError` in place of `link`. Here nobody is trusted: the server checks the link, and that
/// the one who asked for it has the session id.
struct BrowserAnswer {
  /// What the server is asked with.
  let requestURI: String

  /// - Parameter eventID: What was asked with. The answer has the same, or is another's.
  init(_ address: URL, eventID: String) throws(AccountError) {
    let outer = Self.parameters(of: address)
    let inner: [String: String]
    if let link = outer["deep_link_id"] {
      guard let url = URL(string: link) else { throw .answer(.notUnderstood) }
      inner = Self.parameters(of: url)
    } else {
      inner = outer
    }
    if let fault = inner["firebaseError"] { throw Self.error(of: fault) }
    guard let event = inner["eventId"], event.utf8.elementsEqual(eventID.utf8) else {
      throw .answer(.noPendingRequest)
    }
    guard let link = inner["link"] else { throw .answer(.notUnderstood) }
    requestURI = link
  }

  private static func parameters(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(
      items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  private struct Fault: Decodable {
    var code: String?
    var message: String?
  }

  private static func error(of text: String) -> AccountError {
    let fault = try? JSONDecoder().decode(Fault.self, from: Data(text.utf8))
    switch fault?.code {
    case "auth/web-context-cancelled", "auth/user-cancelled": return .device(.cancelled)
    case "auth/network-request-failed":
      return .device(.offline(detail: fault?.message ?? "The browser was offline."))
    case let code?:
      return .device(
        .failed(detail: [code, fault?.message].compactMap { $0 }.joined(separator: ": ")))
    case nil: return .answer(.notUnderstood)
    }
  }
}
