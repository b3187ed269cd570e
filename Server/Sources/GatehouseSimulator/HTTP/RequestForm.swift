import HTTPTypes
import Hummingbird
import NIOCore

/// The parameters of a query or of an `application/x-www-form-urlencoded` body.
struct RequestForm: Sendable {
  private static let maximumParameters = 64

  private var parameters: [(name: String, value: String)] = []

  /// All parameters, in their order.
  var all: [(name: String, value: String)] { parameters }

  static let empty = RequestForm()

  private init() {}

  /// - Throws: `invalid_request` if a parameter is repeated (RFC 6749 §3.1) or isn't UTF-8, or if
  ///   there are more than 64.
  init(parsing text: String) throws(SimulatorError) {
    let pairs = text.utf8.split(separator: UInt8(ascii: "&"))
    guard pairs.count <= Self.maximumParameters else {
      throw .invalidRequest("At most \(Self.maximumParameters) parameters are allowed.")
    }
    for pair in pairs {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = Self.decode(pair[..<equals]),
        let value = Self.decode(pair[equals...].dropFirst())
      else { throw .invalidRequest("A parameter is not valid percent-encoded UTF-8.") }
      guard self[name] == nil else {
        throw .invalidRequest("The parameter \"\(name.prefix(64))\" comes more than once.")
      }
      parameters.append((name, value))
    }
  }

  static func query(_ request: Request) throws(SimulatorError) -> RequestForm {
    try RequestForm(parsing: request.uri.query ?? "")
  }

  /// - Throws: `invalid_request` for another content type; `request_too_large`.
  static func body(_ request: Request, limit: Int) async throws -> RequestForm {
    let type = request.headers[.contentType] ?? ""
    guard type.foldingASCII().hasPrefix("application/x-www-form-urlencoded") else {
      throw SimulatorError.invalidRequest(
        "The body must be application/x-www-form-urlencoded.")
    }
    return try RequestForm(parsing: String(decoding: try await request.bytes(limit), as: UTF8.self))
  }

  /// Adds a parameter from another source, if the form doesn't contain it. "Parameters sent without
  /// a value MUST be treated as if they were omitted from the request" (RFC 6749 §3.1, §3.2).
  mutating func fill(_ name: String, with value: String) {
    if filled(name) == nil { self = setting(name, to: value) }
  }

  /// A copy with another value for one parameter.
  func setting(_ name: String, to value: String) -> RequestForm {
    var form = self
    form.parameters.removeAll { $0.name.isSame(as: name) }
    form.parameters.append((name, value))
    return form
  }

  /// The size of all names and values, in bytes.
  var byteCount: Int { parameters.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

  /// The values of a space-separated parameter.
  func words(_ name: String) -> Set<String> {
    Set((self[name] ?? "").split(separator: " ").map(String.init))
  }

  subscript(name: String) -> String? {
    parameters.first { $0.name.isSame(as: name) }?.value
  }

  /// - Returns: The value, or nil if it is missing or empty.
  func filled(_ name: String) -> String? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return value
  }

  /// - Throws: `invalid_request` if the value is missing or empty.
  func require(_ name: String) throws(SimulatorError) -> String {
    guard let value = filled(name) else {
      throw .invalidRequest("Missing required parameter: \(name)")
    }
    return value
  }

  private static func decode(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexValue),
          let low = rest.popFirst().flatMap(hexValue)
        else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Request {
  /// The whole body.
  ///
  /// - Parameter limit: In bytes.
  /// - Throws: `request_too_large`.
  func bytes(_ limit: Int) async throws -> [UInt8] {
    do {
      return Array(try await body.collect(upTo: limit).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw SimulatorError(
        .contentTooLarge, "request_too_large", "The body is longer than \(limit) bytes.")
    }
  }
}
