import Foundation
import GatehouseProtocol

/// Sends an administrator's requests: over HTTP, or to the handlers in this process.
protocol AdministrationTransport: Sendable {
  /// - Parameters:
  ///   - target: The path and the query, percent-encoded.
  ///   - body: JSON; empty for none.
  func send(
    _ method: String, _ target: String, body: [UInt8]
  ) async throws -> (status: Int, body: [UInt8])
}

/// An administrator's client, and how its command shows the answers.
struct AdministrationClient: Sendable {
  enum Method: String {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  let transport: any AdministrationTransport
  /// Whether the answers themselves are the output.
  let printsJSON: Bool

  /// - Parameters:
  ///   - path: The segments of the path, not yet encoded; the last one without its verb.
  ///   - query: Parameters without a value are left out.
  ///   - hint: What to do if the resource doesn't exist.
  /// - Throws: ``AdministrationRefusal``.
  @discardableResult
  func send(
    _ method: Method, _ path: [String], verb: String? = nil,
    query: KeyValuePairs<String, String?> = [:], _ body: JSONObject? = nil, hint: String? = nil
  ) async throws -> JSONObject {
    var target = path.map { "/" + Self.encoded($0) }.joined() + (verb.map { ":" + $0 } ?? "")
    let parameters = query.compactMap { name, value in
      value.map { "\(name)=\(Self.encoded($0))" }
    }
    if !parameters.isEmpty { target += "?" + parameters.joined(separator: "&") }
    let (status, bytes) = try await transport.send(
      method.rawValue, target, body: body?.serialized() ?? [])
    guard let answer = try? JSONObject(parsing: bytes, limits: Self.limits) else {
      throw CommandFailure(
        "the server's answer with status \(status) is no JSON. Is it a Gatehouse server?")
    }
    guard (200..<300).contains(status) else {
      throw AdministrationRefusal(status: status, answer: answer, hint: hint)
    }
    return answer
  }

  /// Prints the answer with `--json`, and otherwise what `body` says.
  func say(_ answer: JSONObject, _ body: () throws -> Void) rethrows {
    if printsJSON {
      Terminal.say(String(decoding: answer.serialized(), as: UTF8.self))
    } else {
      try body()
    }
  }

  /// A page of users, or an export of events, may be large.
  private static let limits = JSONLimits(bytes: 64 << 20, values: 4_000_000)

  private static func encoded(_ text: String) -> String {
    let allowed = Set("-._~@:".utf8)
    return text.utf8.map { byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || allowed.contains(byte)
      return isPlain
        ? String(decoding: [byte], as: UTF8.self)
        : "%" + String(UInt16(byte) + 256, radix: 16, uppercase: true).dropFirst()
    }.joined()
  }
}

/// The API's refusal.
struct AdministrationRefusal: Error, CustomStringConvertible {
  let status: Int
  /// `CODE : detail`, or a sentence.
  let message: String
  private let hint: String?

  init(status: Int, answer: JSONObject, hint: String?) {
    self.status = status
    message = answer["error"]?["message"]?.string ?? "HTTP \(status)"
    self.hint = status == 404 ? hint : nil
  }

  var isNotFound: Bool { status == 404 }

  /// A provider's configuration that doesn't exist is refused in Google's way.
  var isMissingConfiguration: Bool { isNotFound || message.hasPrefix("CONFIGURATION_NOT_FOUND") }

  var description: String {
    // A sentence needs no code.
    var detail = message
    if let end = message.firstRange(of: " : ")?.upperBound, message[end...].contains(" ") {
      detail = String(message[end...])
    }
    let sentence = detail.hasSuffix(".") ? String(detail.dropLast()) : detail
    return hint.map { "\(sentence); \($0)" } ?? sentence
  }
}

extension JSONObject {
  /// Leaves out members without a value.
  init(ifPresent members: KeyValuePairs<String, String?>) {
    self.init()
    for (name, value) in members { self[name] = value.map { .string($0) } }
  }

  /// A member's text; `-` if there is none.
  func shown(_ name: String) -> String {
    guard let text = self[name]?.string, !text.isEmpty else { return "-" }
    return text.printable
  }

  /// A list of objects; empty if there is none.
  func objects(_ name: String) -> [JSONObject] {
    self[name]?.array?.compactMap(\.object) ?? []
  }

  func strings(_ name: String) -> [String] { self[name]?.array?.compactMap(\.string) ?? [] }

  /// Prints a new secret that only this answer has. It is never shown again.
  ///
  /// - Parameter receiver: The operator's program that verifies signatures with the secret.
  func saySecret(_ name: String = "Its secret", verifiedBy receiver: String) {
    guard let secret = self["secret"]?.string else { return }
    Terminal.say("\(name), shown only once; \(receiver) verifies signatures with it:")
    Terminal.say("  \(secret)")
  }
}
