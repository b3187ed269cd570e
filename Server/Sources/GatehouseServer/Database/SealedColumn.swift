/// The columns whose values are encrypted, by the names of their tables and columns in the database.
///
/// A ciphertext is bound to these names, so they never change. The migrations of each engine mark the
/// same columns with `sealed`: `scripts/house-rules` compares them with this list.
package enum SealedColumn: String, CaseIterable, Sendable {
  case providerSecret = "providers.client_secret"
  case applePrivateKey = "providers.apple_private_key"
  case providerKey = "provider_keys.private_key"
  case providerClientSecret = "provider_clients.secret"
  case secondFactors = "accounts.second_factors"
  case signingKey = "signing_keys.private_key"
  case passwordKey = "password_keys.password_key"
  case codeWebhookSecret = "code_webhooks.secret"
  case hookSecrets = "hooks.secrets"
  case blockingFunctions = "projects.blocking_functions"
  case providerToken = "provider_tokens.token"
  case queuedTask = "outbox.task"
  case actionCodeLink = "action_codes.link"
  case phoneSessionInfo = "phone_verifications.session_info"
  case phoneCode = "phone_verifications.code"

  /// What happens to the values when the key changes that encrypts them.
  package enum Renewal: Sendable {
    /// They are under the master key. ``MasterKeyRotation/reseal()`` encrypts them again.
    case withMasterKey
    /// They are under the vault's key if there is one: see ``VaultBox``. ``VaultKeys/reseal(in:)``
    /// encrypts them again. A rotation of the master key calls it too.
    case withVault
    /// They are under the master key and expire before a former key is retired: codes that only `--dev`
    /// stores.
    case expires
  }

  package var renewal: Renewal {
    switch self {
    case .providerSecret, .applePrivateKey, .providerKey, .providerClientSecret, .signingKey,
      .passwordKey, .codeWebhookSecret, .hookSecrets, .blockingFunctions, .secondFactors:
      .withMasterKey
    case .providerToken, .queuedTask: .withVault
    case .actionCodeLink, .phoneSessionInfo, .phoneCode: .expires
    }
  }

  var table: String { String(rawValue.prefix(while: { $0 != "." })) }

  /// The column without its table.
  var name: String { String(rawValue.drop(while: { $0 != "." }).dropFirst()) }
}
