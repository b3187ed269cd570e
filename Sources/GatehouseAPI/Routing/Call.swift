import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseWire
import HTTPTypes
import Logging
import NIOCore

/// A request whose caller is established.
struct Call: Sendable {
  /// The project that the caller's key, path or body names.
  private(set) var project: Project?
  let isAdministrator: Bool
  /// Where the request comes from, for limits.
  let client: ClientAddress
  /// The key that the caller gave, if any.
  let apiKey: String?
  /// The language that the caller wants to be written to in: a tag of RFC 5646.
  let language: String?
  let path: RequestPath
  let query: FormFields
  /// The body's members; those of an empty body are none.
  let fields: WireFields
  /// The body of ``Route/Envelope/secureToken`` if it came as a form, and of ``Route/Envelope/page``.
  let form: FormFields?
  let now: Date
  let logger: Logger
  /// For cookies, languages, and the name that a browser uses for this server.
  let head: HTTPRequest

  /// What the query says of the request's message.
  var parameters: WireParameters { WireParameters(query) }

  func request<Request: WireRequest>(_ type: Request.Type = Request.self) throws -> Request {
    try Request(fields)
  }

  /// - Throws: ``APIError`` with `INVALID_ARGUMENT` for a member of the body that isn't known.
  func refuseUnknownMembers(_ known: KnownMembers) throws(APIError) {
    if let path = known.firstUnknown(in: fields) {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\(path.prefix(128))\": Cannot find field.")
    }
  }

  /// The same call, about a project that the endpoint found by itself.
  func with(project: Project) -> Call {
    var copy = self
    copy.project = project
    return copy
  }

  /// The project, of routes that have one.
  ///
  /// - Throws: ``APIError`` if the route doesn't ask for one.
  func requireProject() throws -> Project {
    guard let project else { throw APIError.notFound }
    return project
  }
}

/// What an endpoint answers, short of HTTP.
struct Answer: Sendable {
  var body: [UInt8]
  var contentType = "application/json; charset=utf-8"
  /// How long caches may keep it; nil: not at all.
  var cachedSeconds: Int?
  var status: HTTPResponse.Status = .ok
  /// Where a redirect leads.
  private(set) var location: String?
  /// Beside, and in place of, those that every answer has.
  var headers = HTTPFields()

  /// 303 See Other (RFC 9110 §15.4.4).
  init(redirect location: String) {
    body = []
    status = .seeOther
    self.location = location
  }

  init(_ response: some WireResponse) { body = response.json() }

  init(_ page: HTMLPage) {
    body = Array(page.html.utf8)
    contentType = "text/html; charset=utf-8"
    status = page.status
    headers = page.headers
  }

  init(json: [UInt8], cachedSeconds: Int? = nil) {
    body = json
    self.cachedSeconds = cachedSeconds
  }
}
