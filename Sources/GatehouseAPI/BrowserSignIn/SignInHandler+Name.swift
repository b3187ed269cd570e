import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import Logging

/// The name that Apple sends only once.
extension SignInHandler {
  /// Stores the name in a response, in case the app never redeems the response.
  ///
  /// A sign-in never fails because of a name: errors are logged, and the response still contains
  /// the name.
  func keepName(in answer: BrowserAnswer, _ arrived: ArrivedFields, _ call: Call) async {
    guard let name = answer.userName, let idToken = arrived["id_token"], case .code = answer.proof
    else { return }
    let signIn = answer.signIn
    do {
      guard
        let configuration = try await services.projects.provider(
          signIn.provider, in: signIn.project)
      else { return }
      let arrivedName = try await services.federation.owner(
        ofName: name, idToken: Secret(idToken), rawNonce: signIn.nonce, for: configuration,
        now: call.now)
      if let arrivedName {
        try await services.accounts.keep(arrivedName, of: signIn, now: call.now)
      }
    } catch {
      call.logger.notice(
        """
        The name in a provider's response wasn't stored; it is lost if the app doesn't redeem the \
        response
        """,
        metadata: ["provider": "\(signIn.provider)", "error": "\(error)"])
    }
  }
}
