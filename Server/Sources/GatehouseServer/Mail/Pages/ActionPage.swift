import HTTPTypes

/// What a page behind an action code's link shows. `ActionPageHTML.swift` writes it.
enum ActionPage: Sendable {
  /// A field for the six digits of the email.
  case digits(ActionForm, areWrong: Bool)
  /// What the code will change, with a button that does it.
  case question(ActionForm, Subject)
  /// For a password reset: what the code will change, with a field for the new password.
  case newPassword(ActionForm, Subject, NewPassword)
  /// What would be linked to the changed address, and a button with which the user agrees.
  case consent(ActionForm, Subject, [AccountPart])
  /// The app signs the user in. `page` opens it in the browser, `app` opens the installed app.
  case signIn(page: String?, app: String?)
  case done(ActionCode.Purpose, Subject, Ending, ResetMail)
  /// A reset mail was requested.
  case resetMailSent(Subject, Ending)
  case fault(ActionPageFault)

  /// The addresses that a code concerns.
  struct Subject: Sendable {
    var email: String
    var newEmail: String?
  }

  struct NewPassword: Sendable {
    let rules: [PasswordRequirement]
    /// The rules that the password of the last attempt doesn't meet.
    var missing: [PasswordRequirement] = []
  }

  /// Where the user continues.
  enum Ending: Sendable {
    case nowhere
    /// A page on one of the project's domains.
    case page(ContinueURL)
    /// The link names a page on another domain.
    case untrusted
  }

  /// After a recovery, the user should choose a new password: an attacker may know the old one.
  enum ResetMail: Sendable {
    /// It isn't a recovery, or the project has no passwords.
    case notNeeded
    /// The form that requests a mail.
    case offered(ActionForm)
    /// The server sends no mail.
    case advised
  }

  var status: HTTPResponse.Status {
    switch self {
    case .fault(let fault): fault.status
    case .newPassword(_, _, let password): password.missing.isEmpty ? .ok : .badRequest
    case .digits(_, let areWrong): areWrong ? .badRequest : .ok
    case .consent: .badRequest
    case .question, .signIn, .done, .resetMailSent: .ok
    }
  }
}

/// The hidden fields of a page's form.
struct ActionForm: Sendable {
  let mode: ActionCode.Purpose
  let fields: [(name: String, value: String)]

  /// The code's own form. It repeats the link's parameters in its body, so that only the URL of the
  /// link contains the code.
  init(_ link: ActionLinkFields, adding more: [(name: String, value: String)] = []) {
    mode = link.mode
    var fields = [("mode", link.mode.mode), ("apiKey", link.apiKey)]
    if let code = link.code {
      fields.append(("oobCode", code))
    } else if let sessionID = link.sessionID {
      fields.append(("sessionInfo", sessionID))
    }
    fields += Self.end(of: link) + more
    self.fields = fields
  }

  /// A request for a reset mail, which needs no code: any client may request one.
  init(resetMailFor email: String, _ link: ActionLinkFields) {
    mode = link.mode
    fields =
      [
        ("mode", link.mode.mode), ("apiKey", link.apiKey), ("step", ActionStep.resetMail.rawValue),
        ("email", email),
      ] + Self.end(of: link)
  }

  private static func end(of link: ActionLinkFields) -> [(name: String, value: String)] {
    [
      ("projectId", link.projectID), ("continueUrl", link.continueURL), ("lang", link.language),
    ].compactMap { name, value in value.map { (name, $0) } }
  }
}

/// What a form does instead of using its code.
enum ActionStep: String, Sendable {
  case resetMail
}
