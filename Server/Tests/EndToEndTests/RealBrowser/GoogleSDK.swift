import Foundation
import Testing

/// Google's SDK for JavaScript, if its bundle was built: `scripts/javascript-sdk`.
enum GoogleSDK {
  static var path: String? { ProcessInfo.processInfo.environment["GATEHOUSE_JAVASCRIPT_SDK"] }
  static var isThere: Bool { path != nil }

  static let howTo: Comment =
    "GATEHOUSE_JAVASCRIPT_SDK names no bundle of Google's SDK; scripts/javascript-sdk makes one"
}
