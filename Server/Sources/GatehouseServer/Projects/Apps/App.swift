package import Foundation
package import GatehouseProtocol

/// One of a project's apps on Apple's platforms: its bundle id and its API key.
package struct App: Hashable, Sendable {
  /// `1:<project number>:ios:<16 hexadecimal digits>`, the form of Firebase's app ids.
  package let id: String
  package let project: ProjectID
  package let bundleID: String
  package var displayName: String?
  /// The text of the app's API key.
  package let apiKey: String
  package let createdAt: Date
  /// The App ID's prefix, which is the team's id (Apple, "Register an App ID"). If it is nil, see
  /// ``LinkedApps/appleAppIDs``.
  package var teamID: String?

  package init(
    id: String, project: ProjectID, bundleID: String, displayName: String? = nil, apiKey: String,
    createdAt: Date, teamID: String? = nil
  ) {
    self.id = id
    self.project = project
    self.bundleID = bundleID
    self.displayName = displayName
    self.apiKey = apiKey
    self.createdAt = createdAt
    self.teamID = teamID
  }

  /// Ten capital letters and digits, as Apple's membership page shows it.
  package static func isTeamID(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) }
  }

  /// Whether the text can be a bundle id: at least two parts of letters, digits and `-`, joined by
  /// `.` (Apple, CFBundleIdentifier); at most 155 bytes.
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
