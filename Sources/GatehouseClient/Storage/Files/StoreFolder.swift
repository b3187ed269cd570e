import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The store's folder. It is held open, so that the checked folder is used even if the path
/// changes.
struct StoreFolder: ~Copyable {
  private let descriptor: Descriptor
  private let path: String

  private static let lockName = ".lock"

  /// - Returns: Nil if there is no folder.
  init?(existing path: String) throws(StoreFault) {
    guard let descriptor = try Self.open(path) else { return nil }
    self.descriptor = descriptor
    self.path = path
  }

  init(making path: String) throws(StoreFault) {
    if let descriptor = try Self.open(path) {
      self.descriptor = descriptor
    } else {
      try Self.make(path)
      Self.protect(path)
      guard let descriptor = try Self.open(path) else {
        throw StoreFault(.unwritable, detail: "\(path) was removed while it was opened")
      }
      self.descriptor = descriptor
    }
    self.path = path
  }

  /// - Returns: Nil if there is no file.
  func read(_ name: StoreFileName) throws(StoreFault) -> Data? {
    // Without NONBLOCK, opening a pipe in place of the file would wait for a writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    guard let file = Descriptor(unsafe openat(descriptor.number, name.text, flags)) else {
      let code = errno
      if code == ENOENT { return nil }
      throw StoreFault(
        Self.isProtection(code) ? .locked : .unreadable,
        detail: "\(path)/\(name.text): "
          + (code == ELOOP ? "a symbolic link is not followed" : Self.text(code)))
    }
    try checkFile(file, name: name.text)
    let limit = StoreLimits.valueBytes + StoredFile.headerBytes
    guard let bytes = file.bytes(atMost: limit + 1) else {
      throw StoreFault(.unreadable, detail: "\(path)/\(name.text): \(Self.text(errno))")
    }
    guard bytes.count <= limit else {
      throw StoreFault(.damaged, detail: "\(path)/\(name.text) is too long for a stored value")
    }
    return try StoredFile.data(in: bytes)
  }

  /// Call it under the lock: there is only one draft name.
  func replace(_ name: StoreFileName, by data: Data) throws(StoreFault) {
    // Removes the draft that a killed process left behind.
    _ = unsafe unlinkat(descriptor.number, name.draft, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    guard let file = Descriptor(unsafe openat(descriptor.number, name.draft, flags, 0o600)) else {
      throw unwritable(name.draft)
    }
    Self.protect("\(path)/\(name.draft)")
    guard file.write(StoredFile.bytes(of: data)), file.synchronize(),
      unsafe renameat(descriptor.number, name.draft, descriptor.number, name.text) == 0
    else {
      let fault = unwritable(name.text)
      _ = unsafe unlinkat(descriptor.number, name.draft, 0)
      throw fault
    }
    // The name is durable once the folder is.
    guard descriptor.synchronize() else { throw unwritable(name.text) }
  }

  /// Call it under the lock.
  func remove(_ name: StoreFileName) throws(StoreFault) {
    _ = unsafe unlinkat(descriptor.number, name.draft, 0)
    if unsafe unlinkat(descriptor.number, name.text, 0) != 0 {
      guard errno == ENOENT else { throw unwritable(name.text) }
      return
    }
    guard descriptor.synchronize() else { throw unwritable(name.text) }
  }

  func lock(within timeout: TimeInterval) throws(StoreFault) -> FileLock {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    guard let file = Descriptor(unsafe openat(descriptor.number, Self.lockName, flags, 0o600))
    else { throw unwritable(Self.lockName) }
    return try FileLock(file, within: timeout)
  }

  // MARK: While the device is locked

  /// Lets the file, or what is created in the folder, be used as soon as the device was unlocked once after its
  /// start, even if the app protects its files until each unlock. Only Apple's devices have this; a failure
  /// leaves the app's own protection.
  private static func protect(_ path: String) {
    try? FileManager.default.setAttributes(
      [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
  }

  /// Whether a file couldn't be opened because the device is locked.
  private static func isProtection(_ code: Int32) -> Bool {
    // On macOS the code also means that the user or the sandbox refuses it.
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      return code == EPERM
    #else
      return false
    #endif
  }

  // MARK: What is refused

  /// - Returns: Nil if there is no folder.
  private static func open(_ path: String) throws(StoreFault) -> Descriptor? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    guard let descriptor = Descriptor(unsafe openat(AT_FDCWD, path, flags)) else {
      if errno == ENOENT { return nil }
      throw StoreFault(.unreadable, detail: "\(path): \(text(errno))")
    }
    guard let status = descriptor.status else {
      throw StoreFault(.unreadable, detail: "\(path): \(text(errno))")
    }
    guard status.st_uid == geteuid() else {
      throw StoreFault(.unreadable, detail: "\(path) belongs to another user")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw StoreFault(
        .unreadable,
        detail: "Other users may write to \(path): run chmod go-w if this isn't intended")
    }
    return descriptor
  }

  private func checkFile(_ file: borrowing Descriptor, name: String) throws(StoreFault) {
    guard let status = file.status else {
      throw StoreFault(.unreadable, detail: "\(path)/\(name): \(Self.text(errno))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw StoreFault(.unreadable, detail: "\(path)/\(name) isn't a regular file")
    }
    guard status.st_uid == geteuid() else {
      throw StoreFault(.unreadable, detail: "\(path)/\(name) belongs to another user")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw StoreFault(
        .unreadable,
        detail: "Other users may read \(path)/\(name): run chmod 600, and sign out if one did")
    }
  }

  /// Creates the folder and its missing parents, accessible only by the user.
  private static func make(_ path: String) throws(StoreFault) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    while parts.last?.isEmpty == true { parts.removeLast() }
    guard code == ENOENT, parts.count > 1 else {
      throw StoreFault(.unwritable, detail: "\(path): \(text(code))")
    }
    try make(parts.dropLast().joined(separator: "/"))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreFault(.unwritable, detail: "\(path): \(text(errno))")
    }
  }

  private func unwritable(_ name: String) -> StoreFault {
    StoreFault(.unwritable, detail: "\(path)/\(name): \(Self.text(errno))")
  }

  private static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
