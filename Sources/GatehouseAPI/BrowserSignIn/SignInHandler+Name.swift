import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import Logging

/// The name that Apple sends once.
extension SignInHandler {
  /// Keeps the name in an answer, in case that the app never redeems it.
  ///
  /// No sign-in fails for a name: what goes wrong is logged, and the answer still has the name.
  func keepName(in answer: BrowserAnswer, _ arrived: ArrivedFields, _ call: Call) async {
    guard answer.firstName != nil || answer.lastName != nil, let idToken = arrived["id_token"],
      case .code = answer.proof
    else { return }
    let signIn = answer.signIn
    do {
      guard
        let configuration = try await services.projects.provider(
          signIn.provider, in: signIn.project)
      else { return }
      let name = try await services.federation.owner(
        ofName: .init(first: answer.firstName, last: answer.lastName), idToken: Secret(idToken),
        rawNonce: signIn.nonce, for: configuration, now: call.now)
      if let name { try await services.accounts.keep(name, of: signIn, now: call.now) }
    } catch {
      call.logger.notice(
        "The name in a provider's answer can't be kept until the app redeems it",
        metadata: ["provider": "\(signIn.provider)", "error": "\(error)"])
    }
  }
}
