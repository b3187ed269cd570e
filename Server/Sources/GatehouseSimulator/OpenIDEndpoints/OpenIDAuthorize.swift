import Foundation
import HTTPTypes
import Hummingbird

extension OpenIDEndpoints {
  /// The authorization endpoint, by GET or by a form (OpenID Connect Core §3.1.2.1). A browser gets
  /// the pages of ``DialogRoutes``; see ``DialogRule``.
  ///
  /// Parameters besides the standard's: `access_type` as at Google, `person` (or `login_hint`), and
  /// `decision=cancel` for a person who refuses. `display` is ignored.
  func authorize(_ request: Request) async throws -> Response {
    let form =
      request.method == .post
      ? try await RequestForm.body(request, limit: store.configuration.limits.bodyBytes)
      : try RequestForm.query(request)
    return try answer(form, nil) { form in try dialogs.begin(form, request) }
  }

  var dialogs: DialogRoutes {
    DialogRoutes(store: store, provider: provider) { try answer($0, $1) { _ in nil } }
  }

  /// - Parameter begin: Returns a page for a valid request, or nil if the request needs none.
  private func answer(
    _ form: RequestForm, _ authenticated: LastSignIn?, begin: (RequestForm) throws -> Response?
  ) throws -> Response {
    let asked = try OpenIDAuthorization(form, provider: provider, kind: kind) { id in
      store.withState { $0.clients[provider, id] }
    }
    do {
      if asked.isDenied {
        throw SimulatorError(.badRequest, "access_denied", "The person refused.")
      }
      var approvalRequest = try asked.approvalRequest()
      approvalRequest.authTime = authenticated?.at
      if let page = try begin(form) { return page }
      return answer(asked, try approve(asked, approvalRequest))
    } catch let error as SimulatorError {
      return answer(asked, [("error", error.code), ("error_description", error.message)])
    }
  }

  private func approve(
    _ asked: OpenIDAuthorization, _ approvalRequest: ApprovalRequest
  ) throws -> [(name: String, value: String)] {
    let (now, baseURL) = (store.now, store.baseURL)
    let (approval, idToken) = try store.withState { state in
      let approval = try state.approve(approvalRequest, now: now)
      let contents = IDTokenContents(
        nonce: approvalRequest.nonce, code: asked.wantsCode ? approval.code : nil)
      let idToken =
        asked.wantsIDToken
        ? try state.idToken(
          for: approval.grant, baseURL: baseURL, now: now, contents: contents, faults: nil)
        : nil
      return (approval, idToken)
    }
    var fields: [(name: String, value: String)] = []
    if asked.wantsCode { fields.append(("code", approval.code)) }
    if let idToken { fields.append(("id_token", try idToken.signed())) }
    fields.append(("scope", kind.text(approval.grant.scopes)))
    return fields + kind.answerFields(approval)
  }

  private func answer(
    _ asked: OpenIDAuthorization, _ fields: [(name: String, value: String)]
  ) -> Response {
    var all = asked.state.map { [(name: "state", value: $0)] } ?? []
    // RFC 9207 §2: also in error responses.
    all.append(("iss", provider.issuer(baseURL: store.baseURL)))
    all += fields
    store.withState { $0.faults.tokens[provider] }?.apply(toAnswer: &all)
    return AuthorizationAnswer(mode: asked.mode, redirectURI: asked.redirectURI, fields: all)
      .response()
  }
}
