package import GatehouseProtocol

/// Creates and checks password hashes. Doesn't use the threads that handle requests.
package protocol PasswordHashing: Sendable {
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func hash(_ password: Secret<String>) async throws -> PasswordHash

  /// Whether `password` has the hash `hash`. Without a hash the same work is done and the result is
  /// false, so that an unknown address takes as long as a wrong password.
  ///
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool

  /// Whether the hash has other parameters than new hashes.
  func isOutdated(_ hash: PasswordHash) -> Bool
}
