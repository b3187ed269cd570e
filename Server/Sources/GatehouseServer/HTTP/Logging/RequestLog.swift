import Foundation
import GatehouseProtocol

/// How each request is logged.
package enum RequestLogForm: String, Sendable, CaseIterable {
  case none, text, json
}

/// One line for each request, on standard error.
///
/// It has the route's name and never the path, the query or the body: those contain keys and tokens.
struct RequestLog: Sendable {
  let form: RequestLogForm

  struct Line: Sendable {
    var at: Date
    var method: String
    var route: String
    var status: Int
    var milliseconds: Double
    var request: String?
    var project: ProjectID?
    var uid: UID?
    var client: String?
  }

  func write(_ line: Line) {
    var stream = LogStream()
    switch form {
    case .none: break
    case .text: stream.write(line.text + "\n")
    case .json: stream.write(line.json + "\n")
    }
  }
}

extension RequestLog.Line {
  /// `key=value` pairs after the time, as in other log entries.
  var text: String {
    let optional: [(String, String?)] = [
      ("request_id", request), ("project", project?.text), ("uid", uid?.text), ("client", client),
    ]
    let fields =
      [
        ("method", method), ("route", route), ("status", String(status)),
        ("duration_ms", String(Self.rounded(milliseconds))),
      ] + optional.compactMap { name, value in value.map { (name, $0) } }
    return "\(at.formatted(Self.timeForm)) request "
      + fields.map { "\($0)=\(Self.quoted($1))" }.joined(separator: " ")
  }

  /// A project's administrator chooses users' ids, which may contain spaces and quotation marks: without
  /// quotation marks around it, an id could look like further fields.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { byte in
      (0x21...0x7E).contains(byte) && !#"="\"#.utf8.contains(byte)
    }
    guard !isPlain else { return value }
    var escaped = ""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return "\"\(escaped.printable)\""
  }

  var json: String {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.object {
      $0.member("time", at.formatted(Self.timeForm))
      $0.member("message", "request")
      $0.member("method", method)
      $0.member("route", route)
      $0.member("status", Int64(status))
      $0.member("duration_ms", Self.rounded(milliseconds))
      $0.member("request_id", ifPresent: request)
      $0.member("project", ifPresent: project?.text)
      $0.member("uid", ifPresent: uid?.text)
      $0.member("client", ifPresent: client)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static let timeForm = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func rounded(_ value: Double) -> Double { Double(Int64(value * 1000)) / 1000 }
}
