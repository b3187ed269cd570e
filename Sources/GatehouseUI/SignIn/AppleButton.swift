#if canImport(SwiftUI) && canImport(AuthenticationServices)
  import AuthenticationServices
  import GatehouseClient
  import SwiftUI

  /// Apple's own button, with the nonce and the state of a `PendingAppleRequest` in its request.
  struct AppleButton: View {
    let onAnswer: @MainActor (SignInMethod) -> Void
    /// Not called if the user closed the sheet.
    let onFailure: @MainActor (AccountError) -> Void
    @State private var pending: PendingAppleRequest?

    var body: some View {
      SignInWithAppleButton(
        .continue,
        onRequest: { request in
          let pending = PendingAppleRequest()
          self.pending = pending
          request.requestedScopes = [.fullName, .email]
          request.nonce = pending.request.nonce
          request.state = pending.request.state
        },
        onCompletion: { result in take(result) })
    }

    private func take(_ result: Result<ASAuthorization, any Error>) {
      let asked = pending
      pending = nil
      switch result {
      case .success(let authorization):
        guard let asked,
          let credential = authorization.credential as? ASAuthorizationAppleIDCredential
        else { return onFailure(.answer(.noPendingRequest)) }
        do {
          onAnswer(try asked.answered(by: AppleAuthorization(credential)))
        } catch {
          onFailure(error)
        }
      case .failure(let error):
        if (error as? ASAuthorizationError)?.code == .canceled { return }
        onFailure(.device(.failed(detail: "Apple's sheet failed.")))
      }
    }
  }

  extension AppleAuthorization {
    fileprivate init(_ credential: ASAuthorizationAppleIDCredential) {
      self.init(
        user: credential.user, identityToken: credential.identityToken,
        authorizationCode: credential.authorizationCode,
        fullName: credential.fullName.map {
          PersonName(givenName: $0.givenName, familyName: $0.familyName)
        },
        email: credential.email,
        realUserStatus: RealUserStatus(rawValue: credential.realUserStatus.rawValue)
          ?? .unsupported,
        state: credential.state)
    }
  }
#endif
