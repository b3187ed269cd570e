import Foundation
import GatehouseProtocol
import Synchronization

/// A file with environment variables, as systemd's `EnvironmentFile=` reads it, so that a command gets the settings of
/// the service.
///
/// Source: systemd.exec(5), "EnvironmentFile=".
struct EnvironmentFile {
  /// Where the package installs the service's file.
  static let standardPath = "/etc/gatehouse/gatehouse.env"

  /// In the order of the file.
  let variables: [(name: String, value: String)]
  /// The numbers of lines that assign nothing and are no comments.
  let ignored: [Int]

  /// Sets the variables of the file that the environment lacks.
  ///
  /// - Parameter path: Nil for ``standardPath``, which is skipped if it isn't there or can't be read.
  /// - Throws: ``CommandFailure``.
  static func apply(_ path: String?) throws {
    // Variables can name commands. Whoever may write the file must not become root.
    if path == nil, geteuid() == 0, !Permission.isRootsAlone(standardPath) {
      if FileManager.default.fileExists(atPath: standardPath) {
        Terminal.note(
          "note: \(standardPath) isn't root's alone and is not read. \(Permission.remedy)")
      }
      return
    }
    guard let text = try? String(contentsOfFile: path ?? standardPath, encoding: .utf8) else {
      if let path { throw CommandFailure("the file \(path) can't be read") }
      if Permission.isDenied(standardPath) {
        Terminal.note(
          "note: \(NSUserName()) can't read the settings in \(standardPath). \(Permission.remedy)")
      }
      return
    }
    let file = EnvironmentFile(text)
    let given = Set(ProcessInfo.processInfo.environment.keys)
    // The last one of a name counts.
    for (name, value) in file.variables where !given.contains(name) {
      unsafe setenv(name, value, 1)
    }
    for line in file.ignored {
      Terminal.note(
        "note: \(path ?? standardPath):\(line): the line assigns nothing, and is ignored")
    }
    // systemd may have set them from the same file.
    let environment = ProcessInfo.processInfo.environment
    applied.withLock {
      $0 = (
        path ?? standardPath, file.variables.filter { environment[$0.name] == $0.value }.map(\.name)
      )
    }
  }

  /// The file and the names of the variables that it gave.
  private static let applied = Mutex<(path: String, names: [String])?>(nil)

  /// The environment, with the values that the file gives now for those that it gave before.
  static func freshEnvironment() -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    guard let (path, names) = applied.withLock({ $0 }),
      let text = try? String(contentsOfFile: path, encoding: .utf8)
    else { return environment }
    for name in names { environment[name] = nil }
    let given = Set(environment.keys)
    for (name, value) in EnvironmentFile(text).variables where !given.contains(name) {
      environment[name] = value
    }
    return environment
  }

  /// Reads `NAME=value` lines. Empty lines and those that begin with `#` or `;` are left out, and so is a line that
  /// assigns nothing. A backslash at the end of a line continues it.
  init(_ text: String) {
    var variables: [(name: String, value: String)] = []
    var ignored: [Int] = []
    func number(_ line: Substring) -> Int { text[..<line.startIndex].count { $0.isNewline } + 1 }
    var rest = Substring(text)
    while !rest.isEmpty {
      let line = rest.drop { $0 == " " || $0 == "\t" }
      if line.first == "#" || line.first == ";" {
        rest = Self.afterLine(line)
        continue
      }
      guard let end = line.firstIndex(where: { $0 == "=" || $0.isNewline }), line[end] == "=" else {
        let end = line.firstIndex(where: \.isNewline) ?? line.endIndex
        if end > line.startIndex { ignored.append(number(line)) }
        rest = Self.afterLine(line)
        continue
      }
      let name = line[..<end].trimmingCharacters(in: .whitespaces)
      var value = line[line.index(after: end)...]
      let text = Self.value(&value)
      rest = value
      if Self.isName(name) {
        variables.append((name, text))
      } else {
        ignored.append(number(line))
      }
    }
    self.variables = variables
    self.ignored = ignored
  }

  private static func afterLine(_ line: Substring) -> Substring {
    guard let end = line.firstIndex(where: \.isNewline) else { return "" }
    return line[line.index(after: end)...]
  }

  /// Reads a value up to the end of its line, and leaves what follows in `rest`.
  ///
  /// Outside of quotes, white space at both ends is dropped, and a backslash takes the next character as it is. Within
  /// double quotes, it does so for `"`, `\`, a backquote and `$`. Single quotes take everything as it is.
  private static func value(_ rest: inout Substring) -> String {
    var value = ""
    /// How much of the value is kept although white space follows.
    var kept = 0
    var quote: Character?
    rest = rest.drop { $0 == " " || $0 == "\t" }
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, "'"), (nil, "\""): quote = character
      case (let open?, character) where open == character:
        quote = nil
        kept = value.count
      case (nil, _) where character.isNewline:
        return String(value.prefix(max(kept, trimmed(value))))
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { break }
        if next.isNewline { break }
        if quote == "\"", !"\"\\`$".contains(next) { value.append("\\") }
        value.append(next)
        kept = value.count
      default:
        value.append(character)
        if quote != nil { kept = value.count }
      }
    }
    return String(value.prefix(max(kept, trimmed(value))))
  }

  /// The length without the white space at the end.
  private static func trimmed(_ value: String) -> Int {
    value.count - value.reversed().prefix { $0 == " " || $0 == "\t" || $0 == "\r" }.count
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy {
      (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
  }
}
