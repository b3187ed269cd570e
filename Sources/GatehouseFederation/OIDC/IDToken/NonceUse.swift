import Crypto
import Foundation
import GatehouseModel

/// The record by which one person's nonce is used once, whatever token carries it.
///
/// A token that is issued anew for an old nonce answers no request of now: who replays a nonce has
/// one that somebody else made.
enum NonceUse {
  /// - Parameters:
  ///   - raw: The request's nonce, which the token has.
  ///   - token: The record of the token's own single use; nil where it has no nonce.
  /// - Returns: Nil where the request or the token had none. Kept as long as the token's record.
  static func record(
    _ raw: String?, of subject: Subject, at provider: ProviderID, with token: SingleUseToken?
  ) -> SingleUseToken? {
    guard let raw, !raw.isEmpty, let token else { return nil }
    var hash = SHA256()
    // Each part by its own digest: no two of them can be cut differently.
    for part in ["nonce", provider.text, subject.text, raw] {
      hash.update(data: Data(SHA256.hash(data: Data(part.utf8))))
    }
    return SingleUseToken(digest: Array(hash.finalize()), expiresAt: token.expiresAt)
  }
}
