import GatehouseModel
import Logging

/// The name that Apple sends only once.
extension SignInHandler {
  /// The name in a response, if the provider sends it only once. It is stored in case the app never
  /// redeems the response.
  ///
  /// A sign-in never fails because of a name: errors are logged, and the response still contains
  /// the name.
  func nameSentOnce(
    in answer: BrowserAnswer, _ arrived: ArrivedFields, _ call: Call
  ) async -> ArrivedName? {
    guard let name = answer.userName, let idToken = arrived["id_token"], case .code = answer.proof
    else { return nil }
    let signIn = answer.signIn
    do {
      guard
        let configuration = try await services.projects.provider(
          signIn.provider, in: signIn.project)
      else { return nil }
      return try await services.federation.owner(
        ofName: name, idToken: Secret(idToken), rawNonce: signIn.nonce, for: configuration,
        now: call.now)
    } catch {
      call.logger.notice(
        """
        The name in a provider's response wasn't stored; it is lost if the app doesn't redeem the \
        response
        """,
        metadata: ["provider": "\(signIn.provider)", "error": "\(error)"])
      return nil
    }
  }
}
