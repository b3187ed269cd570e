import Foundation
import GatehouseProtocol
import HTTPTypes
import Testing

/// A person who opens an action code's link in a browser, and presses the page's button.
struct ActionPageReader: Sendable {
  static let path = "/__/auth/action"
  static let email = "ada@example.com"
  static let password = "secret1"

  let server: TestServer
  /// The link's parameters, in their order.
  var fields: [(name: String, value: String)] = []
  /// What the browser sends with its form: from a page of this server.
  var headers: HTTPFields = [.fetchSite: "same-origin"]
  var peer: String?

  init(_ server: TestServer) { self.server = server }

  /// Signs ``email`` up, and lets an administrator request the link.
  ///
  /// - Parameter more: Further members of the request.
  init(
    _ server: TestServer, _ type: String, _ more: [(String, JSONValue)] = []
  ) async throws {
    self.server = server
    _ = try await server.call(
      .accounts("signUp", ["email": .string(Self.email), "password": .string(Self.password)]))
    fields = try await Self.link(server, type, more)
  }

  /// The parameters of a link that an administrator requests.
  static func link(
    _ server: TestServer, _ type: String, _ more: [(String, JSONValue)] = []
  ) async throws -> [(name: String, value: String)] {
    let members: [(String, JSONValue)] =
      [("requestType", .string(type)), ("email", .string(email)), ("returnOobLink", true)] + more
    let reply = try await server.call(
      .admin(
        .post, "v1/projects/demo/accounts:sendOobCode",
        .object(JSONObject(members.map { JSONObject.Member(name: $0.0, value: $0.1) }))))
    let text = try #require(reply["oobLink"]?.string)
    let link = try #require(URLComponents(string: text))
    return try #require(link.queryItems).map { ($0.name, $0.value ?? "") }
  }

  /// Changes the address and returns the reader of the mail that the former address gets.
  static func afterChange(_ server: TestServer) async throws -> ActionPageReader {
    let verifying = try await ActionPageReader(server, "VERIFY_EMAIL")
    #expect(try await verifying.press().status == 200)
    let changing = try await ActionPageReader(
      server, "VERIFY_AND_CHANGE_EMAIL", [("newEmail", "mallory@example.com")])
    #expect(try await changing.press().status == 200)
    let list = try await server.call(
      .admin(.get, "emulator/v1/projects/demo/oobCodes"))
    let links = list["oobCodes"]?.array ?? []
    let recovery = try #require(
      links.first { $0["requestType"]?.string == "RECOVER_EMAIL" }?["oobLink"]?.string)
    var reader = ActionPageReader(server)
    reader.fields = try #require(URLComponents(string: recovery)?.queryItems)
      .map { ($0.name, $0.value ?? "") }
    return reader
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

  /// With one parameter replaced or added, or removed by nil.
  func with(_ name: String, _ value: String?) -> ActionPageReader {
    var copy = self
    let place = copy.fields.firstIndex { $0.name == name } ?? copy.fields.endIndex
    copy.fields.removeAll { $0.name == name }
    if let value { copy.fields.insert((name, value), at: min(place, copy.fields.endIndex)) }
    return copy
  }

  func with(_ change: (inout ActionPageReader) -> Void) -> ActionPageReader {
    var copy = self
    change(&copy)
    return copy
  }

  func open(_ method: HTTPRequest.Method = .get) async throws -> TestReply {
    var request = TestRequest(Self.path)
    request.method = method
    request.key = nil
    request.query = Self.encoded(fields)
    request.headers = headers
    request.headers[.fetchSite] = nil
    request.headers[.testPeer] = peer
    return try await server.call(request)
  }

  /// Posts the page's form, with what the person entered.
  func press(_ entered: [(name: String, value: String)] = []) async throws -> TestReply {
    var request = TestRequest(Self.path)
    request.key = nil
    request.headers = headers
    request.headers[.contentType] = "application/x-www-form-urlencoded"
    request.headers[.testPeer] = peer
    request.body = Self.encoded(fields + entered)
    return try await server.call(request)
  }

  /// What the REST API says of the code, which a lookup doesn't use up.
  func lookup() async throws -> TestReply {
    try await server.call(.accounts("resetPassword", ["oobCode": .string(self["oobCode"] ?? "")]))
  }

  func signIn(_ email: String = email, _ password: String = password) async throws -> TestReply {
    try await server.call(
      .accounts("signInWithPassword", ["email": .string(email), "password": .string(password)]))
  }

  private static func encoded(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension TestReply {
  /// The values of the form's hidden fields, still escaped.
  var hiddenFields: [String: String] {
    var fields: [String: String] = [:]
    for piece in text.components(separatedBy: "<input type=\"hidden\" name=\"").dropFirst() {
      let parts = piece.components(separatedBy: "\"")
      if parts.count > 2 { fields[parts[0]] = parts[2] }
    }
    return fields
  }
}

extension HTTPField.Name {
  static let fetchSite = HTTPField.Name("sec-fetch-site") ?? .age
}
