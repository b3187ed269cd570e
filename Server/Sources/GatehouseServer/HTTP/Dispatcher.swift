import GatehouseProtocol
import HTTPTypes
import Hummingbird
import NIOCore

/// Identifies the caller, reads the body, and calls the route's endpoint.
struct Dispatcher: HTTPResponder {
  typealias Context = APIRequestContext

  let services: APIServices
  let configuration: APIConfiguration

  func respond(to request: Request, context: APIRequestContext) async throws -> Response {
    let path = context.target.path
    // Only an administrator may learn whether an administrator's path exists.
    guard let route = context.target.route ?? (path.isAdministrative ? .unknown : nil) else {
      throw APIError.notFound
    }
    try Self.check(request.headers)
    let now = services.clock()
    let query = FormFields(request.uri.query ?? "")
    let caller = CallerIdentification(
      services: services, configuration: configuration,
      isDevelopers: configuration.isDevelopers(context.peer, request.headers))
    let credential = try caller.credential(of: request, route, query)
    var limits = configuration.limits
    if let bodyBytes = route.bodyBytes {
      // Only an administrator may make the server hold a body of this size.
      try await caller.admitLargeBody(credential, route, path, query, now: now)
      limits.bodyBytes = max(limits.bodyBytes, bodyBytes)
    }
    let body = try await RequestBodyReader(limits: limits).body(of: request)
    let (fields, form) = try Self.parse(body, request, route)
    let established = try await caller.establish(
      credential, route, path, query, fields, now: now)
    let call = Call(
      project: established.project, administrator: established.administrator,
      client: configuration.proxies.client(of: context.peer, request.headers),
      apiKey: credential.apiKey, language: Self.language(request),
      path: path, query: query, fields: fields, form: form,
      bytes: route.takesRawBody ? [UInt8](buffer: body) : [], now: now,
      logger: context.logger, head: request.head)
    let origin = EventOrigin(
      established.administrator.map { .administrator($0.name) } ?? .user,
      source: EventSource(request, context, configuration), subject: context.subject,
      clock: services.clock, committed: EventOrigin.current.committed)
    context.subject?.set(project: established.project?.id)
    return try await EventOrigin.$current.withValue(origin) {
      let answer: Answer
      do {
        answer = try await route.handle(call)
      } catch {
        if route.isSignIn { await services.countFailure(error, of: call, route) }
        throw error
      }
      if let clientLeft = answer.stream?.clientLeft {
        // Not the stream itself, which ends when it is released.
        context.closed?.whenComplete { _ in clientLeft() }
      }
      return answer.response
    }
  }

  /// Rejects headers that would take very long to compare. Those that are read before have limits of
  /// their own, or are compared as bytes.
  private static func check(_ headers: HTTPFields) throws(APIError) {
    for field in headers where CombiningCharacters.areTooMany(in: field.value) {
      throw .invalidArgument("A header has too many combining characters in a row.")
    }
  }

  /// - Throws: ``APIError`` if the body isn't a JSON object.
  private static func parse(
    _ body: ByteBuffer, _ request: Request, _ route: Route
  ) throws -> (WireFields, FormFields?) {
    let none = WireFields(JSONObject())
    guard body.readableBytes > 0, !route.takesRawBody else { return (none, nil) }
    let bytes = [UInt8](buffer: body)
    if case .page = route.envelope { return (none, FormFields(bytes: bytes)) }
    if case .secureToken = route.envelope, isForm(request, bytes) {
      return (none, FormFields(bytes: bytes))
    }
    do {
      var limits = JSONLimits.standard
      limits.bytes = max(limits.bytes, route.bodyBytes ?? 0)
      return (WireFields(try JSONObject(parsing: bytes, limits: limits)), nil)
    } catch {
      throw APIError.invalidArgument("Invalid JSON payload received. \(error)")
    }
  }

  /// `X-Firebase-Locale`, if it is a language tag.
  private static func language(_ request: Request) -> String? {
    guard let tag = request.headers[.firebaseLocale], (2...35).contains(tag.utf8.count),
      tag.utf8.allSatisfy({ byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
      })
    else { return nil }
    return tag
  }

  private static func isForm(_ request: Request, _ bytes: [UInt8]) -> Bool {
    guard let type = request.headers[.contentType] else { return bytes.first != UInt8(ascii: "{") }
    return type.lowercased().hasPrefix("application/x-www-form-urlencoded")
  }
}

extension Route {
  /// Stands for an administrator's path that doesn't exist.
  fileprivate static let unknown = Route(
    method: .get, pattern: "", name: "unknown", access: .administrator, envelope: .identityToolkit
  ) { _ in throw APIError.notFound }
}

extension Answer {
  fileprivate var response: Response {
    var headers: HTTPFields = [
      .contentType: contentType,
      .cacheControl: cachedSeconds.map { "public, max-age=\($0), must-revalidate" }
        ?? "no-cache, no-store, max-age=0, must-revalidate",
    ]
    headers[.location] = location
    headers.merge(self.headers)
    return Response(
      status: status, headers: headers,
      body: stream?.body ?? ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension AnswerStream {
  fileprivate var body: ResponseBody {
    ResponseBody { [next] writer in
      while let piece = await next() { try await writer.write(ByteBuffer(bytes: piece)) }
      try await writer.finish(nil)
    }
  }
}
