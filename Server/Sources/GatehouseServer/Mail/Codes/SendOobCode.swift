import GatehouseProtocol
import Logging

/// `accounts:sendOobCode` (v3 `getOobConfirmationCode`): sends a code to an email address; with
/// `returnOobLink`, returns it to an administrator.
struct SendOobCode: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.account("sendOobCode", v3: "getOobConfirmationCode", answer)
      + [
        .administrator(
          .post, "v1/projects/*/accounts:sendOobCode", "accounts.sendOobCode", role: .support,
          answer
        ).alsoOfClients
      ]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SendOobCodeRequest.self)
    let project = try call.requireProject()
    if request.hasUnknownType { throw APIError.refused(.invalidReqType) }
    guard let type = request.type else { throw APIError.refused(.missingReqType) }
    if request.returnsLink && !call.isAdministrator {
      throw APIError.refused(.insufficientPermission)
    }
    let settings = try ActionLinkSettings(
      request, in: project, warning: links.configuration.development.map { _ in call.logger })
    if type == .emailSignIn, !project.policies.allowsEmailLinks {
      throw AccountsError.emailLinksDisabled
    }
    let requested = try await services.accounts.requestActionCode(
      try Self.codeRequest(type, request), handling: request.returnsLink ? .reveal : .deliver,
      isTyped: request.withVerificationCode, from: call.client,
      link: try await links.maker(for: call, settings), in: project,
      now: call.now)
    if request.returnsLink {
      // Anyone who has the link can use it in the user's place, so the log shows that it was issued.
      call.logger.info(
        "A link was issued to an administrator",
        metadata: ["type": "\(type)", "project": "\(project.id)"])
    }
    var response = SendOobCodeResponse(email: requested.email.text)
    response.code = requested.issued?.code.reveal()
    response.link = requested.issued?.link.reveal()
    response.sessionInfo = requested.sessionID
    response.verificationCode = requested.issued?.typed?.digits.reveal()
    return Answer(response)
  }

  private static func codeRequest(
    _ type: ActionCodeType, _ request: SendOobCodeRequest
  ) throws(APIError) -> ActionCodeRequest {
    switch type {
    case .passwordReset: return .passwordReset(try email(request))
    case .emailSignIn: return .emailSignIn(try email(request))
    case .emailVerification:
      return .emailVerification(of: try holder(request, without: .invalidIDToken))
    case .emailChange:
      guard let text = request.newEmail else { throw .refused(.missingNewEmail) }
      guard let newEmail = EmailAddress(text) else { throw .refused(.invalidNewEmail) }
      // As in Google's service: for a link the address is required beside an ID token, too.
      if request.returnsLink { _ = try email(request) }
      return .emailChange(of: try holder(request, without: .missingIDToken), to: newEmail)
    case .emailRecovery: throw .refused(.invalidReqType)
    }
  }

  /// The account of the ID token. If the request asks for the link, which only administrators may
  /// do, any account by its email address.
  private static func holder(
    _ request: SendOobCodeRequest, without code: ErrorCode
  ) throws(APIError) -> ActionCodeRequest.Holder {
    if let idToken = request.idToken { return .idToken(idToken) }
    guard request.returnsLink else { throw .refused(code) }
    return .email(try email(request))
  }

  private static func email(_ request: SendOobCodeRequest) throws(APIError) -> EmailAddress {
    guard let text = request.email else { throw .refused(.missingEmail) }
    return try EmailAddress(checking: text)
  }
}
