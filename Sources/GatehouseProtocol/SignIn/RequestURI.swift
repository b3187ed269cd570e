/// `requestUri` of signInWithIdp: the URL to which the provider sent the browser, with its response
/// in the query and fragment; or the placeholder URL that SDKs send if there was no redirect.
public struct RequestURI: Sendable {
  public let text: String
  let query: FormFields
  let fragment: FormFields

  public init(_ text: String) {
    self.text = text
    let uri = Array(text.utf8)
    let fragment = uri.firstIndex(of: UInt8(ascii: "#")) ?? uri.endIndex
    let query = uri[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
    self.query = FormFields(bytes: Array(uri[query..<fragment].dropFirst()))
    self.fragment = FormFields(bytes: Array(uri[fragment...].dropFirst()))
  }

  /// The field of the query, or otherwise of the fragment; nil if it is empty.
  public subscript(name: String) -> String? {
    (query[name] ?? fragment[name]).flatMap { $0.isEmpty ? nil : $0 }
  }
}
