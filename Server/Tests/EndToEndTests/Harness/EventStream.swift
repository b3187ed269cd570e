import Foundation

/// A stream of `accounts:watch`, read by a Python program.
struct EventStream: Sendable {
  private let process: ChildProcess

  /// - Parameters:
  ///   - last: The id of the last known event.
  ///   - origin: The origin of the web page that sends the request; nil for an app.
  init(
    _ app: AppClient, _ idToken: String, after last: String? = nil, origin: String? = nil,
    in folder: TemporaryFolder
  ) throws {
    var environment = [
      "GATEHOUSE_STREAM": "\(app.baseURL)/v1/accounts:watch?key=\(app.apiKey)",
      "GATEHOUSE_ID_TOKEN": idToken,
    ]
    environment["GATEHOUSE_LAST"] = last
    environment["GATEHOUSE_ORIGIN"] = origin
    process = try Python.start("event_stream.py", [], environment, folder)
  }

  /// The events so far. The last line says how the stream ended.
  var lines: [JSON] {
    process.output.split(separator: "\n").map { JSON(reading: Data($0.utf8)) }
  }

  var types: [String] { lines.compactMap { $0["event"].string } }
  var lastID: String? { lines.last { $0["id"].string != nil }?["id"].string }
  var end: String? { lines.last?["end"].string }

  func has(_ type: String) async throws -> Bool {
    try await Deadline.wait { types.contains(type) || !process.isRunning } && types.contains(type)
  }

  func hasEnded() async throws -> Bool { try await Deadline.wait { !process.isRunning } }

  func close() { process.kill() }
}
