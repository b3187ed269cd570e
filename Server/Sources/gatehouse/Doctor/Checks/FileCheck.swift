import Foundation
import GatehouseServer

/// Checks that only the owner of a file or folder can access it, and that the server runs as the owner.
enum FileCheck {
  /// - Parameters:
  ///   - what: What the file is, such as `master key file`.
  ///   - owner: The user id as which the server runs.
  static func findings(_ what: String, _ path: String, owner: UInt32) -> [Finding] {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
      return [Finding(what, .failed(remedy: "Create it, or name another."), "there is no \(path)")]
    }
    var findings: [Finding] = []
    let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    let wanted = isFolder ? "700" : "600"
    if mode & 0o077 != 0 {
      findings.append(
        Finding(
          what, .failed(remedy: "Run: chmod \(wanted) \(path)"),
          "other users may access \(path) (mode \(String(mode & 0o777, radix: 8)))"))
    }
    let fileOwner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value ?? owner
    if fileOwner != owner {
      findings.append(
        Finding(
          what,
          .failed(
            remedy: "Run this as the server's user (sudo -u gatehouse …); if that is what you did, "
              + "run: chown \(owner) \(path)"),
          "\(path) belongs to user id \(fileOwner), but this runs as user id \(owner)"))
    }
    return findings.isEmpty ? [Finding(what, .ok, path)] : findings
  }
}
