import HTTPTypes

/// The consent page. ``DialogOffer`` defines the choices on it.
struct ConsentPage: Sendable {
  let form: DialogForm
  let request: DialogRequest
  let offer: DialogOffer

  init(_ form: DialogForm, _ request: DialogRequest, offer: DialogOffer) {
    self.form = form
    self.request = request
    self.offer = offer
  }

  var page: DialogPage {
    DialogPage(step: "consent", provider: request.provider) { texts in
      let person = offer.person
      let who = person.name.map { "\($0), \(person.email)" } ?? person.email
      let fields = [
        DialogForm.hidden("person", person.id), name(texts), email(texts), scopes(texts),
        DialogForm.goOn("continue", texts),
      ]
      let body = [
        "<p class=\"quiet\">\(HTML.escape(texts.signedInAs)) "
          + "<strong id=\"who\">\(HTML.escape(who))</strong>. "
          + form.link("other", texts.otherAccount, step: nil, isButton: false) + "</p>",
        form.html(fields.filter { !$0.isEmpty }.joined(separator: "\n")),
        form.cancel(texts),
      ]
      let title = texts.consentTitle(request.clientName, request.provider.displayName)
      return (title, body.joined(separator: "\n"))
    }
  }

  private func name(_ texts: DialogTexts) -> String {
    guard offer.offersName else { return "" }
    let person = offer.person
    return "<fieldset><legend>\(HTML.escape(texts.nameLegend))</legend>"
      + DialogForm.text(
        "first_name", texts.firstName, person.givenName ?? "", autocomplete: "given-name")
      + DialogForm.text(
        "last_name", texts.lastName, person.familyName ?? "", autocomplete: "family-name")
      + "<p class=\"quiet\">\(HTML.escape(texts.nameBody))</p></fieldset>"
  }

  private func email(_ texts: DialogTexts) -> String {
    guard let relay = offer.relayAddress else { return "" }
    let (share, hide) = offer.person.hidesEmail ? ("", " checked") : (" checked", "")
    return "<fieldset><legend>\(HTML.escape(texts.emailLegend))</legend>"
      + "<label class=\"choice\"><input id=\"share-email\" type=\"radio\" name=\"email\" "
      + "value=\"share\"\(share)> <span>\(HTML.escape(texts.share))<br>"
      + "<span class=\"quiet\">\(HTML.escape(offer.person.email))</span></span></label>"
      + "<label class=\"choice\"><input id=\"hide-email\" type=\"radio\" name=\"email\" "
      + "value=\"hide\"\(hide)> <span>\(HTML.escape(texts.hide))<br>"
      + "<span class=\"quiet\">\(HTML.escape(texts.hideBody(relay)))</span></span></label></fieldset>"
  }

  private func scopes(_ texts: DialogTexts) -> String {
    guard offer.isFirst || !offer.scopes.isEmpty else {
      return "<p>\(HTML.escape(texts.againBody(request.clientName)))</p>"
    }
    // Apple has separate fields for the name and the address.
    guard !offer.offersName, offer.relayAddress == nil else { return "" }
    let lines = (offer.scopes.isEmpty ? [.openid] : offer.scopes).map { scope in
      let words = HTML.escape(texts.scope(request.provider.kind.meaning(of: scope)))
      guard offer.declinable.contains(scope) else { return "<li>\(words)</li>" }
      return
        "<li class=\"choice\"><label class=\"choice\"><input id=\"allow-\(scope.rawValue)\" type=\"checkbox\" "
        + "name=\"allow_\(scope.rawValue)\" value=\"yes\" checked> <span>\(words)</span></label></li>"
    }
    let untick =
      offer.declinable.isEmpty ? "" : "<p class=\"quiet\">\(HTML.escape(texts.untickBody))</p>"
    return "<p>\(HTML.escape(texts.clientGets(request.clientName)))</p>"
      + "<ul>\(lines.joined())</ul>\(untick)"
  }
}

/// A page for a request that can't be answered any more.
struct EndedPage: Sendable {
  let provider: Provider

  init(_ provider: Provider) { self.provider = provider }

  var page: DialogPage {
    var page = DialogPage(step: "ended", provider: provider) { texts in
      (texts.endedTitle, "<p>\(HTML.escape(texts.endedBody))</p>")
    }
    page.status = .badRequest
    return page
  }
}
