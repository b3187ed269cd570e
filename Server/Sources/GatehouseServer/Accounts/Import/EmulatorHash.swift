package import GatehouseProtocol

/// What the Firebase Auth Emulator writes in place of a password hash:
/// `fakeHash:salt=fakeSaltQ1w2E3:password=notasecret`.
package enum EmulatorHash {
  /// The password, which follows `:password=`. Nil for any other text, and for a password that is
  /// empty or longer than 4096 UTF-16 code units.
  package static func password(_ text: String) -> Secret<String>? {
    guard text.utf8.starts(with: "fakeHash:salt=".utf8),
      let marker = text.firstRange(of: ":password=")
    else { return nil }
    let password = text[marker.upperBound...]
    return password.isEmpty || password.utf16.count > 4096 ? nil : Secret(String(password))
  }
}
