import GatehouseProtocol

/// The HTML of an ``ActionPage`` in one language. No page has a script.
extension HTMLPage {
  /// - Parameter project: Its display name tells the user for which app the page is, above the heading and
  ///   in the title. Nil if the link names no project.
  init(_ page: ActionPage, _ language: PageLanguage, of project: Project?) {
    let writer = ActionPageHTML(texts: .texts(in: language))
    let (heading, main) = writer.content(of: page)
    self.init(
      page.status, language, title: heading, main: main, abilities: .form, brand: PageBrand(project)
    )
  }
}

private struct ActionPageHTML {
  let texts: ActionPageTexts

  func content(of page: ActionPage) -> (title: String, main: HTML) {
    switch page {
    case .digits(let form, let areWrong):
      return section(
        texts.digits.asked, nil,
        """
        \(self.form(form, with: digits(areWrong: areWrong), button: texts.digits.button))
        \(quiet(texts.digits.orLink))
        """)
    case .question(let form, let subject):
      let story = story(of: form)
      let reason = form.mode == .emailRecovery ? texts.ownChange : texts.notYou
      return section(
        story.asked, subject, "\(self.form(form, button: story.button))\n\(quiet(reason))")
    case .newPassword(let form, let subject, let password):
      let story = texts.passwordReset
      return section(
        story.asked, subject,
        """
        \(self.form(form, with: field(password, subject), button: story.button))
        \(quiet(texts.notYou))
        """)
    case .consent(let form, let subject, let parts):
      let consent = texts.consent
      return section(
        consent.asked, subject,
        """
        <ul>\(parts.map { "<li>\(name(of: $0, subject))</li>" as HTML })</ul>
        \(self.form(form, button: consent.button))
        \(quiet(texts.notYou))
        """)
    case .signIn(let page, let app):
      let links: [(String, String)] = [(app, texts.signIn.openApp), (page, texts.signIn.goOn)]
        .compactMap { url, label in url.map { ($0, label) } }
      return section(texts.signIn.asked, nil, "\(links.map { link($0.0, $0.1) })")
    case .done(let purpose, let subject, let ending, let resetMail):
      return section(
        texts.story(of: purpose)?.done ?? texts.signIn.asked, subject,
        "\(advice(resetMail))\(end(ending))")
    case .resetMailSent(let subject, let ending):
      return section(texts.resetMail.sent, subject, end(ending))
    case .fault(let fault): return section(texts.faults[fault], nil, .nothing)
    }
  }

  private func section(
    _ text: PageText, _ subject: ActionPage.Subject?, _ rest: HTML
  ) -> (title: String, main: HTML) {
    let body = TextTemplate(text.body).html([
      "email": subject?.email ?? "", "newEmail": subject?.newEmail ?? "",
    ])
    return (text.title, "<h1>\(text.title)</h1>\n<p>\(body)</p>\n\(rest)")
  }

  /// The texts for the form's purpose. A sign-in has no form.
  private func story(of form: ActionForm) -> ActionPageTexts.Story {
    texts.story(of: form.mode) ?? texts.emailVerification
  }

  /// Posts to the page's own path, whatever a proxy adds before it, and without the query.
  private func form(_ form: ActionForm, with fields: HTML = "", button: String) -> HTML {
    let hidden = form.fields.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
    }
    return """
      <form method="post" action="?">
      \(hidden)\(fields)<button class="go" type="submit">\(button)</button>
      </form>
      """
  }

  /// The address is a field too, so that a password manager stores the password for it.
  private func field(
    _ password: ActionPage.NewPassword, _ subject: ActionPage.Subject
  ) -> HTML {
    let isRefused = !password.missing.isEmpty
    let missing = list(password.missing, id: "missing")
    let refusal: HTML =
      isRefused
      ? """
      <div class="bad" id="problem" role="alert"><p>\(texts.badPassword)</p>\(missing)</div>

      """ : ""
    // The focus is on a field that has to be corrected, so that a screen reader reads why.
    let state: HTML = isRefused ? " aria-invalid=\"true\" autofocus" : ""
    // Not the same list twice.
    let showsRules = password.missing != password.rules
    let described = [isRefused ? "problem" : nil, showsRules ? "rules" : nil].compactMap(\.self)
      .joined(separator: " ")
    let rules = showsRules ? list(password.rules, id: "rules") : .nothing
    return """
      <input type="email" name="username" autocomplete="username" value="\(subject.email)" readonly hidden>
      <label for="password">\(texts.newPassword)</label>
      <input type="password" id="password" name="newPassword" autocomplete="new-password" required \
      aria-describedby="\(described)"\(state)>
      \(refusal)\(rules)

      """
  }

  /// Phones offer the digits of an email that has just arrived (`one-time-code`).
  private func digits(areWrong: Bool) -> HTML {
    let wrong: HTML =
      areWrong
      ? "<p class=\"bad\" id=\"problem\" role=\"alert\">\(texts.digits.wrong)</p>\n" : ""
    let state: HTML =
      areWrong ? " aria-invalid=\"true\" aria-describedby=\"problem\" autofocus" : ""
    return """
      <label for="digits">\(texts.digits.field)</label>
      <input type="text" id="digits" name="digits" inputmode="numeric" autocomplete="one-time-code" \
      maxlength="20" required\(state)>
      \(wrong)
      """
  }

  private func list(_ rules: [PasswordRequirement], id: String) -> HTML {
    "<ul id=\"\(id)\">\(rules.map { "<li>\(texts.rule($0))</li>" as HTML })</ul>"
  }

  private func advice(_ resetMail: ActionPage.ResetMail) -> HTML {
    switch resetMail {
    case .notNeeded: .nothing
    case .advised: "<p>\(texts.resetMail.adviceWithoutMail)</p>\n"
    case .offered(let form):
      """
      <p>\(texts.resetMail.advice)</p>
      \(self.form(form, button: texts.resetMail.button))

      """
    }
  }

  private func end(_ ending: ActionPage.Ending) -> HTML {
    switch ending {
    case .nowhere: quiet(texts.ending.close)
    case .untrusted: quiet(texts.ending.untrusted)
    case .page(let url): link(url.text, texts.ending.goOn)
    }
  }

  /// The URL is a page on a domain of the project, or opens one of its apps.
  private func link(_ url: String, _ label: String) -> HTML {
    "<p><a class=\"go\" href=\"\(url)\">\(label)</a></p>\n"
  }

  private func quiet(_ text: String) -> HTML { "<p class=\"quiet\">\(text)</p>" }

  private func name(of part: AccountPart, _ subject: ActionPage.Subject) -> String {
    switch part {
    case .email: subject.newEmail ?? subject.email
    case .phone: texts.consent.phone
    case .identity(let provider):
      IdentityProviders.builtIn.first { $0.id == provider }?.displayName ?? provider.text
    }
  }
}
