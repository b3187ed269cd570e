public import Foundation
package import GatehouseClient

/// A proof of who somebody is, made by a provider class such as ``OAuthProvider``.
///
/// Holds secrets, which no description shows.
// `@unchecked`: no lock, because nothing changes after `init`. An open class can't be checked.
open class AuthCredential: NSObject, @unchecked Sendable {
  /// The provider's id, like `apple.com`.
  public let provider: String

  /// What the server is given. Nil for a provider that the server hasn't got.
  private let proof: Credential?

  package init(provider: String, proof: Credential?) {
    self.provider = provider
    self.proof = proof
  }

  /// What the server is given.
  ///
  /// - Throws: ``AuthErrorCode/operationNotAllowed`` for a provider that the server hasn't got.
  package func clientCredential() throws(NSError) -> Credential {
    guard let proof else { throw AuthErrorCode.notOffered(provider) }
    return proof
  }
}

extension AuthErrorCode {
  /// The refusal of what Firebase has and the server hasn't.
  package static func notOffered(_ what: String) -> NSError {
    operationNotAllowed.error(
      userInfo: [NSLocalizedFailureReasonErrorKey: "The server does not offer \(what)."])
  }
}

/// Secrets stay out of logs: `dump` and the debugger see no more than the provider.
extension AuthCredential: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}
