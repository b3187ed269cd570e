import Foundation
import GatehouseProtocol
import HTTPTypes
import Logging
import NIOCore

/// A request whose caller is identified.
struct Call: Sendable {
  /// The project named by the caller's key, the path or the body.
  private(set) var project: Project?
  /// The caller, if it is an administrator of the project, or of the server.
  let administrator: Administrator?
  /// The address of the client, for limits.
  let client: ClientAddress
  /// The API key in the request, if any.
  let apiKey: String?
  /// The language in which the caller wants emails and messages: a tag of RFC 5646.
  private(set) var language: String?
  let path: RequestPath
  let query: FormFields
  /// The members of the body; empty for an empty body.
  let fields: WireFields
  /// The body of ``Route/Envelope/secureToken`` if it was sent as a form, and of
  /// ``Route/Envelope/page``.
  let form: FormFields?
  /// The body as received, on a route with ``Route/takesRawBody``; otherwise empty.
  var bytes: [UInt8] = []
  let now: Date
  let logger: Logger
  /// For cookies, languages, and the host name that the browser uses for this server.
  let head: HTTPRequest

  var isAdministrator: Bool { administrator != nil }

  /// What the caller may do as an administrator. Nil for any other caller.
  var role: AdministratorRole? { administrator?.role }

  /// - Throws: ``APIError/roleNotEnough(_:needed:)``. A route's own role is checked before it is called.
  func require(_ role: AdministratorRole) throws(APIError) {
    guard let own = self.role else { throw .credentialRefused }
    guard own.includes(role) else { throw .roleNotEnough(own, needed: role) }
  }

  /// The parameters of the query.
  var parameters: WireParameters { WireParameters(query) }

  func request<Request: WireRequest>(_ type: Request.Type = Request.self) throws -> Request {
    try Request(fields)
  }

  /// - Throws: ``APIError`` with `INVALID_ARGUMENT` for an unknown member of the body.
  func refuseUnknownMembers(_ known: KnownMembers) throws(APIError) {
    if let path = known.firstUnknown(in: fields) {
      throw .invalidArgument(
        "Invalid JSON payload received. Unknown name \"\(path.prefix(128))\": Cannot find field.")
    }
  }

  /// The same call for a project that the endpoint itself looked up.
  func with(project: Project) -> Call {
    var copy = self
    copy.project = project
    return copy
  }

  /// The same call with the language of the page that the user reads.
  func with(language: String) -> Call {
    var copy = self
    copy.language = language
    return copy
  }

  /// The project, on routes that have one.
  ///
  /// - Throws: ``APIError`` if the route has no project.
  func requireProject() throws -> Project {
    guard let project else { throw APIError.notFound }
    return project
  }
}

/// An endpoint's response, independent of the HTTP server's types.
struct Answer: Sendable {
  typealias Status = HTTPResponse.Status

  var body: [UInt8]
  var contentType = "application/json; charset=utf-8"
  /// How long caches may keep it; nil means not at all.
  var cachedSeconds: Int?
  var status: HTTPResponse.Status = .ok
  /// The target of a redirect.
  private(set) var location: String?
  /// Added to the headers that every response has. A header with the same name is replaced.
  var headers = HTTPFields()
  /// In place of ``body``.
  private(set) var stream: AnswerStream?

  /// 303 See Other (RFC 9110 §15.4.4).
  init(redirect location: String) {
    body = []
    status = .seeOther
    self.location = location
  }

  init(_ response: some WireResponse) { body = response.json() }

  init(json: [UInt8], cachedSeconds: Int? = nil) {
    body = json
    self.cachedSeconds = cachedSeconds
  }

  /// A stream of server-sent events.
  init(stream: AnswerStream) {
    body = []
    contentType = EventStream.contentType
    self.stream = stream
    // With this header nginx passes on each piece at once instead of buffering.
    headers[.accelBuffering] = "no"
  }
}

/// The body of a response that is written as its pieces become available, for as long as the client
/// stays.
struct AnswerStream: Sendable {
  /// Waits for the next piece; nil at the end. The stream is over when this closure is released,
  /// even if it was never called.
  let next: @Sendable () async -> [UInt8]?
  /// Called if the client closes the connection: ``next`` has to return then. Doesn't keep the stream alive.
  let clientLeft: @Sendable () -> Void

  init(
    next: @escaping @Sendable () async -> [UInt8]?, clientLeft: @escaping @Sendable () -> Void
  ) {
    self.next = next
    self.clientLeft = clientLeft
  }
}

extension HTTPField.Name {
  /// The literal is a valid token (RFC 9110 §5.6.2), so the fallback is never used.
  static let accelBuffering = HTTPField.Name("x-accel-buffering") ?? .connection
}
