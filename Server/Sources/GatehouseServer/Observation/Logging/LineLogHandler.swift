import Foundation
import GatehouseProtocol
package import Logging
import Synchronization

/// How log entries are written.
package enum LogFormat: String, Sendable, CaseIterable {
  case text, json
}

/// The level of all loggers that have none of their own. It may change while the server runs.
package final class LogLevel: Sendable {
  private let level: Mutex<Logger.Level>

  package init(_ level: Logger.Level) { self.level = Mutex(level) }

  package var current: Logger.Level { level.withLock { $0 } }

  package func set(_ level: Logger.Level) { self.level.withLock { $0 = level } }
}

/// Writes each entry as one line: the time, the level, the message, and the metadata as `key=value` or as members of a
/// JSON object.
package struct LineLogHandler: LogHandler {
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let format: LogFormat
  private let level: LogLevel
  private let stream: LogStream
  /// A logger's own level, if it was set.
  private var ownLevel: Logger.Level?

  package init(_ format: LogFormat, _ level: LogLevel, to stream: LogStream = LogStream()) {
    self.format = format
    self.level = level
    self.stream = stream
  }

  package var logLevel: Logger.Level {
    get { ownLevel ?? level.current }
    set { ownLevel = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var all = metadata
    all.merge(metadataProvider?.get() ?? [:]) { $1 }
    all.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error { all["error"] = "\(error)" }
    if let trace = Span.current?.place.trace { all["trace_id"] = "\(trace)" }
    // Hummingbird's name for it.
    if let request = all.removeValue(forKey: "hb.request.id") { all["request_id"] = request }
    let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    let line = LogLine(
      time: time, level: event.level.rawValue, message: "\(event.message)",
      metadata: all.sorted { $0.key < $1.key })
    switch format {
    case .text: stream.write(line: line.text)
    case .json: stream.write(line: line.json)
    }
  }
}

private struct LogLine {
  let time: String
  let level: String
  let message: String
  let metadata: [(key: String, value: Logger.MetadataValue)]

  var text: String {
    let fields = metadata.flatMap { Self.fields($0, $1) }.map { " \($0)=\(Self.quoted($1))" }
    return "\(time) \(level) \(message)\(fields.joined())"
  }

  private static func fields(_ key: String, _ value: Logger.MetadataValue) -> [(String, String)] {
    guard case .dictionary(let members) = value else { return [(key, "\(value)")] }
    return members.sorted { $0.key < $1.key }.flatMap { fields("\(key).\($0)", $1) }
  }

  /// Others choose some values, such as a user's id. Without quotation marks a value with spaces could look like
  /// further fields.
  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && value.utf8.allSatisfy { byte in
        (0x21...0x7E).contains(byte) && !#"="\"#.utf8.contains(byte)
      }
    guard !isPlain else { return value }
    var escaped = ""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }

  var json: String {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.object {
      $0.member("time", time)
      $0.member("level", level)
      $0.member("message", message.printable)
      for (key, value) in metadata { Self.write(value, key, to: &$0) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func write(
    _ value: Logger.MetadataValue, _ key: String, to writer: inout JSONWriter
  ) {
    switch value {
    case .dictionary(let members):
      writer.object(key) {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) { write(value, key, to: &$0) }
      }
    case .stringConvertible(let number as any BinaryInteger):
      writer.member(key, Int64(clamping: number))
    case .stringConvertible(let number as Double): writer.member(key, number)
    case .string, .stringConvertible, .array: writer.member(key, "\(value)".printable)
    }
  }
}
