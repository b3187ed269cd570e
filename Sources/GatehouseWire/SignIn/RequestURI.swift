/// `requestUri` of signInWithIdp: where the provider sent the browser, with its answer in query and
/// fragment; or the address that SDKs make up where there was no redirect.
public struct RequestURI: Sendable {
  public let text: String
  let query: FormFields
  let fragment: FormFields

  public init(_ text: String) {
    self.text = text
    let uri = text.utf8
    let fragment = uri.firstIndex(of: UInt8(ascii: "#")) ?? uri.endIndex
    let query = uri[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
    self.query = FormFields(bytes: uri[query..<fragment].dropFirst())
    self.fragment = FormFields(bytes: uri[fragment...].dropFirst())
  }

  /// The field of the query, else of the fragment; an empty one is absent.
  public subscript(name: String) -> String? {
    (query[name] ?? fragment[name]).flatMap { $0.isEmpty ? nil : $0 }
  }
}
