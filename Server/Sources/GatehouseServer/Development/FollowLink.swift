import GatehouseProtocol
import HTTPTypes

/// `GET /emulator/action`: in `--dev`, a request for a code's link does what the app's page would
/// do, and returns JSON, as the emulator does.
struct FollowLink: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    [
      Route(
        method: .get, pattern: "emulator/action", name: "emulator.action", access: .development,
        envelope: .identityToolkit, handle: answer)
    ]
  }

  /// The emulator prints links that end with this text, for the developer to replace.
  private static let placeholder = "NEW_PASSWORD_HERE"

  func answer(_ call: Call) async throws -> Answer {
    guard let code = call.query["oobCode"], !code.isEmpty else {
      return Self.failure("The link has no oobCode.", "Use the complete link.")
    }
    guard let project = try await project(call) else {
      return Self.failure("The link has no apiKey.", "Add &apiKey=any-key to the link.")
    }
    let call = call.with(project: project)
    do {
      return try await follow(code, project, call)
    } catch AccountsError.invalidActionCode, AccountsError.expiredActionCode {
      return Self.failure(
        "The link was already used, has expired, or is invalid for this mode.",
        "Request a new one.")
    }
  }

  private func follow(_ text: String, _ project: Project, _ call: Call) async throws -> Answer {
    let code = try await services.accounts.actionCode(
      text, from: call.client, in: project, now: call.now)
    guard call.query["mode"]?.hasSameBytes(as: code.purpose.mode) == true, !code.isReleased else {
      throw AccountsError.invalidActionCode
    }
    switch code.purpose {
    case .passwordReset: return try await resetPassword(text, code, project, call)
    case .emailSignIn: return try signIn(project, call)
    case .emailVerification, .emailChange, .emailRecovery:
      let (account, _) = try await services.accounts.applyActionCode(
        text, from: call.client, link: try await links.maker(for: call), in: project, now: call.now)
      return try done("The address is verified.", account.email?.text, project, call)
    }
  }

  private func resetPassword(
    _ text: String, _ code: ActionCode, _ project: Project, _ call: Call
  ) async throws -> Answer {
    guard let password = call.query["newPassword"], !password.isEmpty,
      !password.hasSameBytes(as: Self.placeholder)
    else {
      return Self.failure(
        "The new password is missing.",
        "Add &newPassword= and the password to the link, and open it again.")
    }
    _ = try await services.accounts.resetPassword(
      withCode: text, to: Secret(password), from: call.client, in: project, now: call.now)
    return try done("The password is changed.", code.email.text, project, call)
  }

  /// The app itself signs the user in: it gets the link's parameters, and the code stays unused.
  private func signIn(_ project: Project, _ call: Call) throws -> Answer {
    guard let target = try continueURL(project, call) else {
      return Self.failure(
        "The link has no continueUrl.",
        "Request a link with the URL of your app in continueUrl.")
    }
    let passed = Query { query in
      for (name, value) in call.query.fields where !name.hasSameBytes(as: "continueUrl") {
        query.add(name, value)
      }
    }
    return Answer(redirect: target.adding(passed))
  }

  private func done(
    _ what: String, _ email: String?, _ project: Project, _ call: Call
  ) throws -> Answer {
    if let target = try continueURL(project, call) { return Answer(redirect: target.text) }
    return Answer(FollowedLinkResponse(.success(what), email: email))
  }

  private func continueURL(_ project: Project, _ call: Call) throws(APIError) -> ContinueURL? {
    guard let text = call.query["continueUrl"], !text.isEmpty else { return nil }
    return try ContinueURL(checking: text, in: project, warning: call.logger)
  }

  private func project(_ call: Call) async throws -> Project? {
    if let id = call.query["projectId"].flatMap({ ProjectID($0) }) {
      return try await services.projects.project(id)
    }
    guard let key = call.query["apiKey"], !key.isEmpty else { return nil }
    return try await services.projects.project(apiKey: key)
  }

  private static func failure(_ what: String, _ instructions: String) -> Answer {
    var answer = Answer(FollowedLinkResponse(.failure(what), instructions: instructions))
    answer.status = .badRequest
    return answer
  }
}

/// The response to a request for a code's link in `--dev`, in the emulator's format.
struct FollowedLinkResponse: WireResponse {
  var outcome: Outcome
  /// The email address of the code.
  var email: String?
  /// What to do next.
  var instructions: String?

  enum Outcome: Sendable {
    case success(String)
    case failure(String)
  }

  init(_ outcome: Outcome, email: String? = nil, instructions: String? = nil) {
    self.outcome = outcome
    self.email = email
    self.instructions = instructions
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.object("authEmulator") { answer in
      switch outcome {
      case .success(let text): answer.member("success", text)
      case .failure(let text): answer.member("error", text)
      }
      answer.member("email", ifPresent: email)
      answer.member("instructions", ifPresent: instructions)
    }
  }
}
