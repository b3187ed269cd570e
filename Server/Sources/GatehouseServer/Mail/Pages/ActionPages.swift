import GatehouseProtocol
import HTTPTypes
import Logging

/// `/__/auth/action`: the pages that users see when they open the link of an action code. The
/// counterpart of Firebase Hosting's handler, with its parameters.
///
/// A GET changes nothing, because mail scanners follow links: it shows what the code is for, with a
/// button. The button posts a form, and only that uses the code. A sign-in link opens the app, which
/// uses the code. The pages need no script.
///
/// What happens to the account is decided in `AccountsService`, by the same functions that the REST
/// API calls.
struct ActionPages: Endpoint {
  let services: APIServices
  let links: ActionLinks

  static let pattern = "__/auth/action"

  var routes: [Route] {
    [(HTTPRequest.Method.get, get as Route.Handler), (.post, post)].map { method, handle in
      Route(
        method: method, pattern: Self.pattern, name: "auth.action", access: .anyone,
        envelope: .page, handle: handle)
    }
  }

  func get(_ call: Call) async throws -> Answer {
    try await answer(call.query, call) { link, call in
      if link.needsDigits { return .digits(ActionForm(link), areWrong: false) }
      return try await ask(link, call)
    }
  }

  /// The page that says what the link's code will do.
  private func ask(_ link: ActionLinkFields, _ call: Call) async throws -> ActionPage {
    let (_, code) = try await find(link, call)
    let form = ActionForm(link)
    switch code.purpose {
    case .passwordReset: return try .newPassword(form, Subject(code), NewPassword(call))
    case .emailSignIn: return try await signIn(link, call)
    case .emailVerification, .emailChange, .emailRecovery: return .question(form, Subject(code))
    }
  }

  /// Correct digits show the same page as the email's link. After wrong digits the page asks again.
  private func ask(
    afterDigits typed: String, _ link: ActionLinkFields, _ call: Call
  ) async throws -> ActionPage {
    let wrong = ActionPage.digits(ActionForm(link), areWrong: true)
    guard let completed = link.with(digits: typed) else { return wrong }
    do {
      return try await ask(completed, call)
    } catch AccountsError.invalidActionCode {
      return wrong
    }
  }

  func post(_ call: Call) async throws -> Answer {
    let form = call.form ?? FormFields()
    return try await answer(form, call) { link, call in
      try FormOrigin(configuration: links.configuration).check(call, try call.requireProject())
      if let step = form["step"] {
        guard ActionStep(rawValue: step) == .resetMail else { throw ActionPageFault.incomplete }
        return try await sendResetMail(to: form["email"], link, call)
      }
      if link.needsDigits {
        return try await ask(afterDigits: form["digits"] ?? "", link, call)
      }
      let (text, code) = try await find(link, call)
      switch code.purpose {
      case .passwordReset:
        return try await resetPassword(text, code, to: form["newPassword"] ?? "", link, call)
      case .emailSignIn: return try await signIn(link, call)
      case .emailVerification, .emailChange, .emailRecovery:
        return try await apply(text, code, agreedTo: form["joins"], link, call)
      }
    }
  }

  // MARK: Each purpose

  private func resetPassword(
    _ text: String, _ code: ActionCode, to password: String, _ link: ActionLinkFields,
    _ call: Call
  ) async throws -> ActionPage {
    let missing: [PasswordRequirement]
    do {
      let used = try await services.accounts.resetPassword(
        withCode: text, to: Secret(password), from: call.client, language: call.language,
        in: try call.requireProject(), now: call.now)
      return .done(.passwordReset, Subject(used), try ending(link, call), .notNeeded)
    } catch AccountsError.weakPassword {
      missing = [.minimumLength(PasswordPolicy.minimumLengths.lowerBound)]
    } catch AccountsError.passwordTooLong {
      missing = [.maximumLength(PasswordPolicy().maximumLength)]
    } catch AccountsError.passwordRequirements(let requirements) {
      missing = requirements
    }
    // The code wasn't used. The password isn't repeated in the page.
    return .newPassword(
      ActionForm(link), Subject(code), try NewPassword(call, missing: missing))
  }

  private func apply(
    _ text: String, _ code: ActionCode, agreedTo joins: String?, _ link: ActionLinkFields,
    _ call: Call
  ) async throws -> ActionPage {
    do {
      let (_, used) = try await services.accounts.applyActionCode(
        text, consent: Self.consent(joins), from: call.client,
        link: try await links.maker(for: call),
        in: try call.requireProject(), now: call.now)
      return .done(
        used.purpose, Subject(used), try ending(link, call), try resetMail(after: used, link, call))
    } catch AccountsError.consentRequired(let parts) {
      // The code wasn't used. The form names what the page shows, and the consent covers only that.
      let names = parts.map(\.name).joined(separator: ",")
      return .consent(ActionForm(link, adding: [("joins", names)]), Subject(code), parts)
    }
  }

  /// The version of the pages' text that asks for consent. Change it with the text.
  private static let consentVersion = "gatehouse-action-page-1"

  private static func consent(_ joins: String?) -> GivenConsent? {
    guard let joins else { return nil }
    let parts = joins.split(separator: ",").prefix(GivenConsent.maximumParts)
      .compactMap { AccountPart(name: String($0)) }
    return GivenConsent(version: consentVersion, joins: parts)
  }

  /// The app gets the link's parameters, and the code stays unused.
  private func signIn(_ link: ActionLinkFields, _ call: Call) async throws -> ActionPage {
    let project = try call.requireProject()
    let address = HandlerAddress(call, project, links.configuration)
    let app = try await AppLink.url(link, at: address, in: project, call, services)
    var page: String?
    if case .page(let url) = try ending(link, call) { page = url.adding(link.forApp) }
    guard page != nil || app != nil else { throw ActionPageFault.noApp }
    return .signIn(page: page, app: app)
  }

  // MARK: After a recovery

  private func resetMail(
    after code: ActionCode, _ link: ActionLinkFields, _ call: Call
  ) throws -> ActionPage.ResetMail {
    guard code.purpose == .emailRecovery, try call.requireProject().policies.allowsPasswords else {
      return .notNeeded
    }
    guard services.accounts.deliversActionCodes else { return .advised }
    return .offered(ActionForm(resetMailFor: code.email.text, link))
  }

  /// Sends the email, as `accounts:sendOobCode` does for any client. The page is the same for an
  /// address without an account.
  private func sendResetMail(
    to text: String?, _ link: ActionLinkFields, _ call: Call
  ) async throws -> ActionPage {
    guard let email = text.flatMap({ EmailAddress($0) }) else { throw ActionPageFault.incomplete }
    do {
      _ = try await services.accounts.requestActionCode(
        .passwordReset(email), handling: .deliver, from: call.client,
        link: try await links.maker(for: call), in: try call.requireProject(), now: call.now)
    } catch AccountsError.emailNotFound {}
    return .resetMailSent(Subject(email: email.text), try ending(link, call))
  }

  // MARK: Parts

  private typealias Subject = ActionPage.Subject
  private typealias NewPassword = ActionPage.NewPassword

  /// The code, if it has the purpose that the link states, and the project allows that purpose.
  /// Doesn't use the code.
  private func find(
    _ link: ActionLinkFields, _ call: Call
  ) async throws -> (text: String, code: ActionCode) {
    let project = try call.requireProject()
    switch link.mode {
    case .passwordReset:
      if !project.policies.allowsPasswords { throw AccountsError.passwordLoginDisabled }
    case .emailSignIn:
      if !project.policies.allowsEmailLinks { throw AccountsError.emailLinksDisabled }
    case .emailVerification, .emailChange, .emailRecovery: break
    }
    let text = try link.requireCode()
    let code = try await services.accounts.actionCode(
      text, from: call.client, in: project, now: call.now)
    guard code.purpose == link.mode, !code.isReleased else { throw ActionPageFault.spent }
    return (text, code)
  }

  private func project(of link: ActionLinkFields) async throws -> Project? {
    if links.configuration.development != nil, let id = link.projectID.flatMap({ ProjectID($0) }) {
      return try await services.projects.project(id)
    }
    return try await services.projects.project(apiKey: link.apiKey)
  }

  private func ending(_ link: ActionLinkFields, _ call: Call) throws -> ActionPage.Ending {
    guard let text = link.continueURL else { return .nowhere }
    let project = try call.requireProject()
    let logger = links.configuration.development.map { _ in call.logger }
    do throws(APIError) {
      return .page(try ContinueURL(checking: text, in: project, warning: logger))
    } catch {
      return .untrusted
    }
  }

  /// Reads the link's parameters and returns the page from `body`, or the page for its error.
  private func answer(
    _ fields: FormFields, _ call: Call,
    _ body: (ActionLinkFields, Call) async throws -> ActionPage
  ) async throws -> Answer {
    let language = PageLanguage(call.head.headerFields, query: fields["lang"])
    var known: Project?
    var isRecovery = false
    do {
      let link = try ActionLinkFields(fields)
      isRecovery = link.mode == .emailRecovery
      guard let project = try await project(of: link) else { throw ActionPageFault.incomplete }
      known = project
      // The emails that this request sends are in the page's language.
      let call = call.with(project: project).with(language: language.rawValue)
      return Answer(HTMLPage(try await body(link, call), language, of: project))
    } catch {
      guard let fault = ActionPageFault(error, isRecovery: isRecovery) else { throw error }
      countRefusal(error)
      call.logger.debug("Rejected", metadata: ["error": "\(error)"])
      return Answer(HTMLPage(.fault(fault), language, of: known))
    }
  }
}

extension ActionPage.Subject {
  init(_ code: ActionCode) {
    self.init(email: code.email.text, newEmail: code.newEmail?.text)
  }
}

extension ActionPage.NewPassword {
  init(_ call: Call, missing: [PasswordRequirement] = []) throws {
    self.init(rules: try call.requireProject().policies.passwordPolicy.rules, missing: missing)
  }
}

extension PasswordPolicy {
  /// The rules to show before the user chooses a password. The maximum that applies in every
  /// project is left out.
  var rules: [PasswordRequirement] {
    guard isEnforced else { return [.minimumLength(Self.minimumLengths.lowerBound)] }
    let rules: [(PasswordRequirement, applies: Bool)] = [
      (.minimumLength(minimumLength), true),
      (.maximumLength(maximumLength), maximumLength < PasswordPolicy().maximumLength),
      (.lowercase, requiresLowercase), (.uppercase, requiresUppercase), (.digit, requiresDigit),
      (.symbol, requiresSymbol),
    ]
    return rules.filter(\.applies).map(\.0)
  }
}
