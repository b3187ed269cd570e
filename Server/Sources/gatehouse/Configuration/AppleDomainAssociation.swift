import Foundation

/// The text that Apple gives an operator to publish.
enum AppleDomainAssociation {
  /// The file is published: a longer file is not Apple's, and is rejected.
  private static let maximumBytes = 65_536

  static func text(ofFile path: String) throws(SettingFault) -> String {
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw SettingFault("\(path) can't be read")
    }
    defer { try? file.close() }
    guard let data = try? file.read(upToCount: maximumBytes + 1), data.count <= maximumBytes,
      let text = String(validating: data, as: UTF8.self)
    else {
      throw SettingFault("\(path) is not Apple's file, which is a text of at most 64 KiB")
    }
    return text
  }
}
