import AuthenticationServices
import CryptoKit

// The SwiftUI tutorial's manager for Apple's sheet.

class AppleSignInManager: NSObject {
  // The tutorial's earlier parts define these. Here they are newly written, with the same names.
  static let shared = AppleSignInManager()
  static private(set) var nonce: String?

  func requestAppleAuthorization(_ request: ASAuthorizationAppleIDRequest) {
    let nonce = Self.randomNonce()
    Self.nonce = nonce
    request.requestedScopes = [.fullName, .email]
    request.nonce = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined()
  }

  private static func randomNonce() -> String {
    let charset = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_")
    return String((0..<32).map { _ in charset[Int.random(in: 0..<charset.count)] })
  }

  private var continuation: CheckedContinuation<ASAuthorizationAppleIDCredential, Error>?

  func requestAppleAuthorization() async throws -> ASAuthorizationAppleIDCredential {
    return try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation

      let appleIdProvider = ASAuthorizationAppleIDProvider()
      let request = appleIdProvider.createRequest()
      requestAppleAuthorization(request)

      let authorizationController = ASAuthorizationController(authorizationRequests: [request])
      authorizationController.delegate = self
      authorizationController.performRequests()
    }
  }
}

extension AppleSignInManager: ASAuthorizationControllerDelegate {
  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    if case let appleIDCredential as ASAuthorizationAppleIDCredential = authorization.credential {
      continuation?.resume(returning: appleIDCredential)
    }
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: Error
  ) {
    continuation?.resume(throwing: error)
  }
}
