import CLibcrypt

/// bcrypt with libcrypt's `crypt_rn`, which has no global state: any thread may call it.
package struct CryptBcrypt: BcryptComputing {
  package init() {}

  /// bcrypt uses only the first 72 bytes of the password.
  package func bcrypt(_ password: [UInt8], setting: [UInt8]) -> [UInt8]? {
    let size = MemoryLayout<crypt_data>.size
    let workspace = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
    unsafe workspace.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer {
      // It holds the password.
      unsafe workspace.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      unsafe workspace.deallocate()
    }
    let (phrase, setting) = (Self.cString(password), Self.cString(setting))
    guard let made = unsafe crypt_rn(phrase, setting, workspace, Int32(size)) else { return nil }
    return unsafe Array(String(cString: made).utf8)
  }

  private static func cString(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
