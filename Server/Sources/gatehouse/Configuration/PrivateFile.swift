import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that only their owner can read, from the moment they are created.
enum PrivateFile {
  /// Writes a new file, and waits until it is on the disk.
  ///
  /// - Throws: `POSIXError` if the file can't be created, with `.EEXIST` if it exists; an error of
  ///   `FileHandle` if it can't be written.
  static func write(_ contents: Data, toNew path: String) throws {
    try write(contents, toNew: path, withOwnerOf: nil)
  }

  /// Writes a new file for a command.
  ///
  /// - Throws: ``CommandFailure``, also if there is a file already.
  static func make(_ path: String, with contents: Data) throws {
    do {
      try write(contents, toNew: path)
      try syncFolder(of: path)
    } catch let error as POSIXError {
      let reason = unsafe String(cString: strerror(error.code.rawValue))
      throw CommandFailure("the file \(path) can't be created: \(reason)")
    }
  }

  /// Replaces a file, or creates it, in one step: a reader finds either the old content or the new one. Call
  /// ``syncFolder(of:)`` afterwards.
  ///
  /// - Parameter draft: The file that gets the new content first. One that exists is the rest of an
  ///   interrupted attempt, and is removed.
  /// - Throws: `POSIXError`, or an error of `FileHandle`. Then the file is unchanged, and there is no draft.
  static func replace(_ path: String, with contents: Data, draft: String) throws {
    _ = unsafe unlink(draft)
    do {
      // Its reader may be another user than the superuser, who runs a command.
      try write(contents, toNew: draft, withOwnerOf: path)
      try move(draft, over: path)
    } catch {
      _ = unsafe unlink(draft)
      throw error
    }
  }

  /// Gives a complete file its name. A file that has the name is replaced.
  private static func move(_ draft: String, over path: String) throws {
    guard unsafe rename(draft, path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// - Parameter former: If this is the superuser, the new file gets the owner of this one, who could not
  ///   read it otherwise.
  private static func write(
    _ contents: Data, toNew path: String, withOwnerOf former: String?
  ) throws {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if geteuid() == 0, let former, let (user, group) = owner(of: former) {
      // Not by the path: meanwhile the owner of the folder may have put a link there.
      guard fchown(descriptor, user, group) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }
    do {
      try file.write(contentsOf: contents)
      try file.synchronize()
      try file.close()
    } catch {
      // On a full disk, an incomplete file would stop the next attempt.
      _ = unsafe unlink(path)
      throw error
    }
  }

  /// Waits until the file's name is on the disk.
  static func syncFolder(of path: String) throws {
    let folder = try FileHandle(
      forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent())
    try folder.synchronize()
    try folder.close()
  }

  /// Of the link, if it is one.
  private static func owner(of path: String) -> (user: uid_t, group: gid_t)? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let user = attributes[.ownerAccountID] as? NSNumber,
      let group = attributes[.groupOwnerAccountID] as? NSNumber
    else { return nil }
    return (user.uint32Value, group.uint32Value)
  }

  /// Whether both paths lead to the same regular file, which ``begin(_:)`` would remove.
  static func areSame(_ path: String, _ other: String) -> Bool {
    guard let first = identity(of: path), let second = identity(of: other) else { return false }
    return first == second
  }

  /// The device and number of the regular file to which the path leads, also through symbolic links.
  private static func identity(of path: String) -> [NSNumber]? {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let device = attributes[.systemNumber] as? NSNumber,
      let number = attributes[.systemFileNumber] as? NSNumber
    else { return nil }
    return [device, number]
  }

  /// Creates a file that the caller writes piece by piece.
  ///
  /// An existing file is removed first: the new file doesn't inherit its permissions, and processes
  /// that have it open don't see the new content.
  ///
  /// - Returns: Nil if the file can't be created, or if the path is a symbolic link outside `/dev`.
  static func begin(_ path: String) -> FileHandle? {
    // The attributes of the path itself, not of a symbolic link's target.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    switch attributes?[.type] as? FileAttributeType {
    case nil: break
    case .typeRegular: if unsafe unlink(path) != 0 { return nil }
    // A link may lead to a file that other users can read. Only links in /dev, such as /dev/stdout,
    // are followed.
    case .typeSymbolicLink:
      return path.hasPrefix("/dev/") ? FileHandle(forWritingAtPath: path) : nil
    // A device or a pipe is opened, not replaced.
    default: return FileHandle(forWritingAtPath: path)
    }
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// A file that the caller writes piece by piece, and that gets its name when it is complete. Until
  /// then, a file that has the name stays.
  struct Draft {
    let file: FileHandle
    private let path: String
    /// Nil for a device or a pipe, which is written directly.
    private let partial: String?

    /// - Returns: Nil under the conditions of ``PrivateFile/begin(_:)``.
    init?(_ path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let type = attributes?[.type] as? FileAttributeType
      let partial = type == nil || type == .typeRegular ? path + ".partial" : nil
      guard let file = PrivateFile.begin(partial ?? path) else { return nil }
      self.file = file
      self.path = path
      self.partial = partial
    }

    /// Waits until the file is on the disk, and gives it its name.
    ///
    /// - Throws: `POSIXError`, or an error of `FileHandle`.
    func finish() throws {
      if partial != nil { try file.synchronize() }
      try file.close()
      if let partial { try PrivateFile.move(partial, over: path) }
    }

    /// Removes what was written.
    func discard() {
      try? file.close()
      if let partial { _ = unsafe unlink(partial) }
    }
  }
}
