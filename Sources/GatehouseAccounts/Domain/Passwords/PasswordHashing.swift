package import GatehouseModel

/// Makes and checks password hashes, off the threads that answer requests.
package protocol PasswordHashing: Sendable {
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func hash(_ password: Secret<String>) async throws -> PasswordHash

  /// Whether `password` is the one behind `hash`. With nil the same work is done and the answer is
  /// false, so that an unknown address takes as long as a wrong password.
  ///
  /// - Throws: ``AccountsError/overloaded`` if too many are waiting.
  func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool

  /// Whether the hash was made with other parameters than new ones are.
  func isOutdated(_ hash: PasswordHash) -> Bool
}
