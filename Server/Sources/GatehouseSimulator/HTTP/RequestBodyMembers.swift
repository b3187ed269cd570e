import Foundation
import Hummingbird

/// A JSON object with a list of its known members, so that a misspelt member is an error instead of
/// being ignored.
protocol RequestBodyMembers: Decodable, Sendable {
  static var members: Set<String> { get }

  /// The members that contain such objects, or arrays of them.
  static var objects: [String: any RequestBodyMembers.Type] { get }
}

extension RequestBodyMembers {
  static var objects: [String: any RequestBodyMembers.Type] { [:] }
}

extension JSONDecoder {
  /// Decodes the body of `request`. Its `Content-Type` isn't checked. An empty body is `{}`.
  ///
  /// - Parameter limit: In bytes.
  /// - Throws: `invalid_request` unless the body is an object with only known members of the right
  ///   types; `request_too_large`.
  static func body<Body: RequestBodyMembers>(
    of request: Request, limit: Int, as type: Body.Type = Body.self
  ) async throws -> Body {
    let bytes = try await request.bytes(limit)
    return try decode(Data(bytes.isEmpty ? Array("{}".utf8) : bytes), as: type)
  }

  /// - Throws: As ``body(of:limit:as:)``.
  static func decode<Body: RequestBodyMembers>(
    _ data: Data, as type: Body.Type
  ) throws(SimulatorError) -> Body {
    let decoder = JSONDecoder()
    do {
      guard case .object(let members) = try decoder.decode(JSONValue.self, from: data) else {
        throw SimulatorError.invalidRequest("The body must be a JSON object.")
      }
      try check(members, type)
      return try decoder.decode(type, from: data)
    } catch let error as SimulatorError {
      throw error
    } catch DecodingError.keyNotFound(let key, let context) {
      throw .invalidRequest("The member \"\(path(context, key))\" is missing.")
    } catch DecodingError.typeMismatch(_, let context) {
      throw .invalidRequest("The member \"\(path(context))\" has the wrong type.")
    } catch DecodingError.valueNotFound(_, let context) {
      throw .invalidRequest("The member \"\(path(context))\" must not be null.")
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      throw .invalidRequest("The member \"\(path(context))\" has an unknown value.")
    } catch {
      throw .invalidRequest("The body is not JSON.")
    }
  }

  private static func check(
    _ members: [String: JSONValue], _ type: any RequestBodyMembers.Type
  ) throws(SimulatorError) {
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard type.members.contains(name) else {
        throw .invalidRequest(
          "Unknown member \"\(name.prefix(64))\". "
            + "Known: \(type.members.sorted().joined(separator: ", ")).")
      }
      if let object = type.objects[name] { try check(value, object) }
    }
  }

  /// The decoder checks values that are neither an object nor an array.
  private static func check(
    _ value: JSONValue, _ type: any RequestBodyMembers.Type
  ) throws(SimulatorError) {
    switch value {
    case .object(let members): try check(members, type)
    case .array(let values):
      for case .object(let members) in values { try check(members, type) }
    default: break
    }
  }

  private static func path(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil)
    -> String
  {
    (context.codingPath + [key].compactMap(\.self)).map(\.stringValue).joined(separator: ".")
  }
}
