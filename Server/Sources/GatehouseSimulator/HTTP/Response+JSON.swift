import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  static func json(
    _ value: JSONValue, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    return Response(
      status: status, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try value.data())))
  }

  /// A response that a client may cache for an hour: for key sets and discovery documents.
  static func cacheable(_ value: JSONValue) throws -> Response {
    try json(value, headers: [.cacheControl: "public, max-age=3600"])
  }

  static func encoded(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response
  {
    try json(
      try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)), status: status)
  }

  static func error(_ error: SimulatorError) throws -> Response {
    var headers: HTTPFields = [:]
    headers[.wwwAuthenticate] = error.challenge
    return try json(
      ["error": .string(error.code), "error_description": .string(error.message)],
      status: error.status, headers: headers)
  }
}
