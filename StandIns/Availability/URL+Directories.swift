import Foundation

// Foundation has these on Linux without their availability on Apple's systems. `scripts/availability` adds
// this file to each module, where it hides Foundation's declarations.
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension URL {
  static var applicationSupportDirectory: URL { URL(fileURLWithPath: "/") }
  static var cachesDirectory: URL { URL(fileURLWithPath: "/") }
  static var documentsDirectory: URL { URL(fileURLWithPath: "/") }
  static var homeDirectory: URL { URL(fileURLWithPath: "/") }
  static var libraryDirectory: URL { URL(fileURLWithPath: "/") }
  static var temporaryDirectory: URL { URL(fileURLWithPath: "/") }
  static func currentDirectory() -> URL { URL(fileURLWithPath: "/") }
}
