import Foundation

/// The `gatehouse` command that was built with the tests.
enum Binary {
  /// `GATEHOUSE_BINARY`, or the binary beside the test bundle.
  ///
  /// - Throws: ``MissingTool`` with the command to run.
  static func path() throws -> String {
    if let given = ProcessInfo.processInfo.environment["GATEHOUSE_BINARY"] { return given }
    return try path(of: "gatehouse")
  }

  /// A program that was built beside the test bundle.
  static func path(of program: String) throws -> String {
    let bundles = CommandLine.arguments.compactMap(folderOfBundle) + [Bundle.main.bundlePath]
    for folder in bundles {
      let path = "\(folder)/\(program)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw MissingTool(
      "There is no \(program) beside the tests. Run: swift build --package-path Server --build-tests"
    )
  }

  /// `/x/.build/debug/gatehouse-serverPackageTests.xctest/…` → `/x/.build/debug`.
  private static func folderOfBundle(_ argument: String) -> String? {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { return nil }
    let folder = parts[..<bundle].joined(separator: "/")
    return folder.isEmpty ? "." : folder
  }
}

/// A tool that the tests need is missing. They fail and don't skip, so that it is noticed.
struct MissingTool: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
