import Crypto
import Foundation

/// New codes and tokens, looking like the provider's own.
enum RandomToken {
  static func code(_ provider: Provider) -> String {
    switch provider {
    case .apple: "c\(hex(bytes: 16)).0.s\(hex(bytes: 2)).\(base64(bytes: 16))"
    case .google: "4/0A\(base64(bytes: 40))"
    case .facebook: "AQ\(base64(bytes: 96))"
    case .oidc, .issuer: "code-\(base64(bytes: 24))"
    }
  }

  static func access(_ provider: Provider) -> String {
    switch provider {
    case .apple: "a\(hex(bytes: 16)).0.s\(hex(bytes: 2)).\(base64(bytes: 16))"
    case .google: "ya29.a0\(base64(bytes: 60))"
    case .facebook: "EAA\(base64(bytes: 96))"
    case .oidc, .issuer: "at-\(base64(bytes: 24))"
    }
  }

  static func refresh(_ provider: Provider) -> String {
    switch provider {
    case .apple: "r\(hex(bytes: 16)).0.s\(hex(bytes: 2)).\(base64(bytes: 16))"
    case .google: "1//0\(base64(bytes: 48))"
    case .facebook, .oidc, .issuer: "rt-\(base64(bytes: 24))"
    }
  }

  static func hex(bytes count: Int) -> String { Hex.text(random(count)) }

  static func base64(bytes count: Int) -> String { Base64URL.text(random(count)) }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
