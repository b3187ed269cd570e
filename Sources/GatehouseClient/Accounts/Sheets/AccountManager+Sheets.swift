import Foundation

/// Each function shows a sheet or a browser and creates a credential from its response. None sends
/// a request to the server.
extension AccountManager {
  func askApple() async throws(AccountError) -> AppleSheetAnswer {
    guard let apple = devices.apple else { throw .notOffered(.apple) }
    let pending = PendingAppleRequest()
    let authorization: AppleAuthorization
    do {
      authorization = try await apple.authorize(pending.request)
    } catch {
      throw .device(error)
    }
    return try pending.answer(authorization)
  }

  /// The user id at Google, and a credential for the account.
  func askGoogle(hint: String? = nil)
    async throws(AccountError) -> (user: String?, credential: Credential)
  {
    guard let google = devices.google else { throw .notOffered(.google) }
    let nonce = google.takesNonce ? Nonce() : nil
    let authorization: GoogleAuthorization
    do {
      authorization = try await google.signIn(
        GoogleSignInRequest(nonce: nonce?.sha256, hint: hint))
    } catch {
      throw .device(error)
    }
    guard let idToken = authorization.idToken, !idToken.isEmpty else {
      throw .answer(.noIdentityToken)
    }
    return (
      authorization.user,
      .google(idToken: idToken, accessToken: authorization.accessToken, nonce: nonce)
    )
  }

  /// Apple's account or a saved password: the user chooses in one sheet.
  func askOffered(withApple: Bool) async throws(AccountError) -> Credential {
    guard let passwords = devices.passwords else { throw .notOffered(.password) }
    let pending = PendingAppleRequest()
    let offered: OfferedCredential
    do {
      offered = try await passwords.offer(withApple ? pending.request : nil)
    } catch {
      throw .device(error)
    }
    switch offered {
    case .password(let user, let password): return .password(email: user, password: password)
    case .apple(let authorization):
      guard withApple else { throw .answer(.noPendingRequest) }
      return try pending.answer(authorization).credential()
    }
  }

  /// Signs in in a browser. The server's own pages receive the provider's response.
  func askBrowser(_ provider: Provider, scopes: [String], customParameters: [String: String])
    async throws(AccountError) -> Credential
  {
    guard let web = devices.web else { throw .notOffered(provider) }
    let signIn = BrowserSignIn(
      provider: provider, scopes: scopes, customParameters: customParameters)
    do {
      return .identityProvider(try await signIn.credential(for: client, in: web))
    } catch {
      throw AccountError(error)
    }
  }
}
