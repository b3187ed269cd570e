public import Foundation

/// Keeps each key in a file that only its owner can read, for all processes of one user.
///
/// The files are `0600` in a folder that is made `0700`. What others may write or read, what belongs
/// to somebody else, and a symbolic link in a file's place are refused as `unreadable`: a session
/// from there would be somebody else's, and one that others could read may be in their hands.
/// `remove` and `write` work then, so signing out or in again mends it.
///
/// A write is complete or didn't happen, also when the machine loses power, and is on the disk when
/// it returns. Writers hold a lock that all processes share (`flock`, on a file that stays);
/// readers don't wait. Who can't get the lock in ten seconds gets `busy`. A file that isn't what was
/// written is `damaged`, never "nothing".
///
/// All methods block the calling thread for as long as the disk takes, some milliseconds for a
/// write. The folder has to be on a file system whose `flock` works between the processes that use
/// it; over a network that is the mount's business.
public struct FileStore: SessionStore {
  /// Where the files are.
  public let directory: URL
  private let lockTimeout: Duration

  /// - Parameters:
  ///   - directory: Made with the first write, with the folders above it.
  ///   - lockTimeout: How long a writer waits for others.
  public init(directory: URL, lockTimeout: Duration = .seconds(10)) {
    self.directory = directory
    self.lockTimeout = lockTimeout
  }

  /// In the user's own folder for data: `$XDG_DATA_HOME/<application>`, or
  /// `~/.local/share/<application>` where the variable isn't set (XDG Base Directory Specification);
  /// `~/Library/Application Support/<application>` on Apple's platforms.
  ///
  /// - Parameter application: Names the folder, such as `com.example.app`.
  /// - Throws: `unwritable` for a name that isn't one folder's, and where there is no home.
  public init(application: String) throws(StoreFault) {
    try self.init(application: application, environment: ProcessInfo.processInfo.environment)
  }

  package init(application: String, environment: [String: String]) throws(StoreFault) {
    guard !application.isEmpty, application != ".", application != "..",
      !application.utf8.contains(UInt8(ascii: "/")), !application.utf8.contains(0)
    else { throw StoreFault(.unwritable, detail: "\"\(application)\" is no name of a folder") }
    #if canImport(Darwin)
      let data = URL.applicationSupportDirectory
    #else
      let data = try Self.dataHome(environment)
    #endif
    self.init(directory: data.appending(path: application, directoryHint: .isDirectory))
  }

  public func read(_ key: String) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    guard let folder = try StoreFolder(existing: path) else { return nil }
    return try folder.read(StoreFileName(key))
  }

  public func write(_ data: Data, for key: String) throws(StoreFault) {
    try StoreLimits.check(key)
    try StoreLimits.check(data)
    let folder = try StoreFolder(making: path)
    let lock = try folder.lock(within: lockTimeout)
    try folder.replace(StoreFileName(key), by: data)
    lock.release()
  }

  public func remove(_ key: String) throws(StoreFault) {
    try StoreLimits.check(key)
    guard let folder = try StoreFolder(existing: path) else { return }
    let lock = try folder.lock(within: lockTimeout)
    try folder.remove(StoreFileName(key))
    lock.release()
  }

  public func update(
    _ key: String, _ change: (Data?) throws(StoreFault) -> Data?
  ) throws(StoreFault) -> Data? {
    try StoreLimits.check(key)
    let name = StoreFileName(key)
    let folder = try StoreFolder(making: path)
    let lock = try folder.lock(within: lockTimeout)
    let before = try folder.read(name)
    let after = try change(before)
    if let after {
      try StoreLimits.check(after)
      // Also where nothing changed: who asks is told whether it can be written.
      try folder.replace(name, by: after)
    } else if before != nil {
      try folder.remove(name)
    }
    lock.release()
    return after
  }

  private var path: String {
    let path = directory.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  #if !canImport(Darwin)
    private static func dataHome(_ environment: [String: String]) throws(StoreFault) -> URL {
      // The specification: relative paths are invalid and to be ignored.
      if let given = environment["XDG_DATA_HOME"], given.hasPrefix("/") {
        return URL(filePath: given, directoryHint: .isDirectory)
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw StoreFault(.unwritable, detail: "Neither XDG_DATA_HOME nor HOME says where data goes")
      }
      return URL(filePath: home, directoryHint: .isDirectory).appending(path: ".local/share")
    }
  #endif
}
