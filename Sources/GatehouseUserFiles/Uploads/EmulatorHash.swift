package import GatehouseModel

/// What the Firebase Auth Emulator writes where a hash of a password belongs:
/// `fakeHash:salt=fakeSaltQ1w2E3:password=notasecret`.
package enum EmulatorHash {
  /// The password, which is the rest after `:password=`; nil for any other text.
  package static func password(_ text: String) -> Secret<String>? {
    guard text.utf8.starts(with: "fakeHash:salt=".utf8),
      let marker = text.firstRange(of: ":password=")
    else { return nil }
    let password = text[marker.upperBound...]
    return password.isEmpty || password.utf16.count > 4096 ? nil : Secret(String(password))
  }
}
