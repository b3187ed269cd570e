import GatehouseClient
import GoogleSignIn

extension GoogleSheet {
  /// Over the view controller that `presenter` returns.
  convenience init(presenter: @escaping @MainActor @Sendable () -> UIViewController?) {
    self.init(
      signIn: { request in
        guard let presenter = presenter() else {
          throw DeviceFault.unavailable(detail: "There is nothing to show Google's sheet over")
        }
        let user = try await GIDSignIn.sharedInstance.signIn(
          withPresenting: presenter, hint: request.hint, additionalScopes: nil, nonce: request.nonce
        ).user
        return GoogleAuthorization(
          user: user.userID, idToken: user.idToken?.tokenString,
          accessToken: user.accessToken.tokenString)
      },
      restore: {
        guard GIDSignIn.sharedInstance.hasPreviousSignIn() else { return nil }
        return try await GIDSignIn.sharedInstance.restorePreviousSignIn().userID
      },
      disconnect: { try await GIDSignIn.sharedInstance.disconnect() },
      signOut: { GIDSignIn.sharedInstance.signOut() })
  }
}
