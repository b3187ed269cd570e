public import Foundation
package import GatehouseClient

/// A credential of a user, created by a provider class such as ``OAuthProvider``.
///
/// Contains secrets. No description shows them.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class AuthCredential: NSObject, @unchecked Sendable {
  /// The provider's id, like `apple.com`.
  public let provider: String

  private let proof: Credential

  package init(provider: String, proof: Credential) {
    self.provider = provider
    self.proof = proof
  }

  /// The credential for the server.
  ///
  /// - Throws: Only ``PhoneAuthCredential`` throws, for a code that must not be sent.
  package func clientCredential() throws(NSError) -> Credential { proof }
}

extension AuthErrorCode {
  /// The error for a feature that Firebase has and the server doesn't.
  package static func notOffered(_ what: String) -> NSError {
    operationNotAllowed.error(
      userInfo: [NSLocalizedFailureReasonErrorKey: "The server does not offer \(what)."])
  }
}

/// Keeps secrets out of logs: `dump` and the debugger see only the provider.
extension AuthCredential: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
