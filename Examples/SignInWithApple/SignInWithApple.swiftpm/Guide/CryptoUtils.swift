import CryptoKit
import Foundation
import Security

/// The guide calls these functions, but doesn't show their code.
enum CryptoUtils {
  struct NonceFailure: Error {
    let status: OSStatus
  }

  static func randomNonceString(length: Int = 32) throws -> String {
    var bytes = [UInt8](repeating: 0, count: length)
    let status = SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
    guard status == errSecSuccess else { throw NonceFailure(status: status) }
    // There are 64 characters, so all of them have the same probability.
    let charset = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")
    return String(bytes.map { charset[Int($0) % charset.count] })
  }

  static func sha256(_ input: String) -> String {
    SHA256.hash(data: Data(input.utf8)).map { String(format: "%02x", $0) }.joined()
  }
}
