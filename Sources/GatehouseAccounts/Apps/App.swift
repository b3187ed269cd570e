package import Foundation
package import GatehouseModel

/// One of a project's apps on Apple's platforms: its bundle id and the API key that it was given.
package struct App: Hashable, Sendable {
  /// `1:<project number>:ios:<16 hexadecimal digits>`, the form of Firebase's app ids.
  package let id: String
  package let project: ProjectID
  package let bundleID: String
  package var displayName: String?
  /// The text of the app's API key.
  package let apiKey: String
  package let createdAt: Date

  package init(
    id: String, project: ProjectID, bundleID: String, displayName: String? = nil, apiKey: String,
    createdAt: Date
  ) {
    self.id = id
    self.project = project
    self.bundleID = bundleID
    self.displayName = displayName
    self.apiKey = apiKey
    self.createdAt = createdAt
  }

  /// Whether the text can be a bundle id: letters, digits, `-` and `.` (Apple, CFBundleIdentifier),
  /// at most 155 bytes, no empty part.
  package static func isBundleID(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 155 && parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }
}
