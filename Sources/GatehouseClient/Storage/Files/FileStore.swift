public import Foundation

/// Keeps each key in a file that only its owner can read, for all processes of one user.
///
/// The files have mode `0600`, in a folder that is created with `0700`. The store throws
/// `unreadable` for a file that other users may access, a folder that they may write to, a file or
/// folder of another owner, and a symbolic link in place of a file. A session from there could be
/// another user's, and a session that others can read may be stolen. `remove` and `write` remove or
/// replace such a file, so signing out or in repairs it.
///
/// A write is complete or has no effect, even if the machine loses power. When it returns, the data
/// is on the disk. Writers hold a lock that all processes share (`flock`, on a file that is never
/// removed). Readers don't wait. A writer that can't get the lock in time (ten seconds by default) gets
/// `busy`. A file with other contents than the store wrote is `damaged`: it doesn't count as missing.
///
/// All methods block the calling thread while the disk works, for some milliseconds in a write. The
/// folder has to be on a file system whose `flock` works between the processes that use it. On a
/// network file system this depends on the mount.
public struct FileStore: SessionStore {
  /// The folder of the files.
  public let directory: URL
  private let lockTimeout: TimeInterval

  /// - Parameters:
  ///   - directory: Created with the first write, together with missing parent folders.
  ///   - lockTimeout: How long a writer waits for other writers, in seconds.
  public init(directory: URL, lockTimeout: TimeInterval = 10) {
    self.directory = directory
    self.lockTimeout = lockTimeout
  }

  /// Uses the user's folder for data: `$XDG_DATA_HOME/<application>`, or
  /// `~/.local/share/<application>` if the variable isn't an absolute path (XDG Base Directory
  /// Specification). On Apple's platforms it is `~/Library/Application Support/<application>`.
  ///
  /// - Parameter application: The name of the folder, such as `com.example.app`.
  /// - Throws: `unwritable` if the name can't be the name of one folder, or if there is no home
  ///   folder.
  public init(application: String) throws(StoreFault) {
    try self.init(application: application, environment: ProcessInfo.processInfo.environment)
  }

  package init(application: String, environment: [String: String]) throws(StoreFault) {
    guard !application.isEmpty, application != ".", application != "..",
      !application.utf8.contains(UInt8(ascii: "/")), !application.utf8.contains(0)
    else { throw StoreFault(.unwritable, detail: "\"\(application)\" isn't a valid folder name") }
    #if canImport(Darwin)
      let data = Self.applicationSupport
    #else
      let data = try Self.dataHome(environment)
    #endif
    self.init(directory: data.appendingPathComponent(application, isDirectory: true))
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
      // Written even if nothing changed, so that the caller learns whether the store can be
      // written.
      try folder.replace(name, by: after)
    } else if before != nil {
      try folder.remove(name)
    }
    lock.release()
    return after
  }

  private var path: String { directory.path }

  /// The folder for an app's own files. Not `URL.applicationSupportDirectory`, which systems have since
  /// iOS 16.
  static var applicationSupport: URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
  }

  #if !canImport(Darwin)
    private static func dataHome(_ environment: [String: String]) throws(StoreFault) -> URL {
      // The specification: relative paths are invalid and to be ignored.
      if let given = environment["XDG_DATA_HOME"], given.hasPrefix("/") {
        return URL(fileURLWithPath: given, isDirectory: true)
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw StoreFault(.unwritable, detail: "Set XDG_DATA_HOME or HOME to say where data is kept")
      }
      return URL(fileURLWithPath: home, isDirectory: true)
        .appendingPathComponent(".local/share", isDirectory: true)
    }
  #endif
}
