/// The values with which a browser sign-in begins, sent to the task that does it.
struct ProviderRequest: @unchecked Sendable {  // Sent, not shared.
  let provider: any FederatedAuthProvider
  let delegate: (any AuthUIDelegate)?
}
