import GatehouseProtocol
import HTTPTypes
import Logging

/// `/__/auth/handler`: runs a sign-in in a browser for an app or a page that can't do so itself.
///
/// ```
///   app ──► GET ?apiKey&…            ──► 303 to the provider, with a cookie
///   provider ──► GET ?state&code     ──► 303 to the app, or a page that tells a page's SDK
///   provider ──► POST state&code     ──► 303 to GET ?posted, which brings the cookie
///   provider ──► GET #state&id_token ──► a page whose script repeats it as a query
///   app ──► signInWithIdp {requestUri: link, sessionId}
/// ```
///
/// When a provider's response arrives, nothing in the request is trusted until the cookie has been
/// checked, and a fault shows a page. Afterwards the app gets the fault as `firebaseError`, or the
/// page gets it as an ``AuthEvent``. A provider responds at the URL that it was given,
/// `RedirectPath`; a response at another URL is refused before the cookie is checked.
struct SignInHandler: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    // Where OpenID Connect providers respond: see `RedirectPath`.
    let own = [
      (HTTPRequest.Method.get, get as Route.Handler), (.post, post),
    ].map { method, handle in
      Route(
        method: method, pattern: "__/auth/handler/*/*", name: "auth.handler", access: .anyone,
        envelope: .page, handle: handle)
    }
    return own + Route.browser(.get, "handler", "auth.handler", get)
      + Route.browser(.post, "handler", "auth.handler", post)
      + Route.browser(.get, "callback", "auth.callback", callback)
      + Route.browser(.post, "callback", "auth.callback", post)
  }

  func get(_ call: Call) async throws -> Answer {
    try await page(call) { () async throws -> Answer in
      // A link preview is not a sign-in, and must not use one up.
      guard call.head.method != .head else { return page(.waiting, call) }
      if let posted = call.query["posted"] {
        let form = try services.accounts.form(ofPosted: posted, now: call.now)
        return try await arrive(ArrivedFields(form), call)
      }
      if call.query["apiKey"] != nil, call.path.resource == nil { return try await start(call) }
      if ArrivedFields.isAnswer(call.query) {
        return try await arrive(try ArrivedFields(call.query), call)
      }
      return page(.waiting, call)
    }
  }

  /// A form that a provider posts. The browser sends no cookie with a POST from another site. So
  /// the form is sealed into the URL of a redirect, and the browser sends the cookie with that GET.
  func post(_ call: Call) async throws -> Answer {
    try await page(call) { () async throws -> Answer in
      let arrived = try ArrivedFields(call.form ?? FormFields())
      let signIn = try services.accounts.browserSignIn(ofState: arrived["state"], now: call.now)
      try Self.checkPlace(of: signIn, call)
      let posted = try services.accounts.seal(postedForm: arrived.fields, now: call.now)
      return redirect("\(address(of: signIn, call).url)\(Self.path(call))?posted=\(posted)")
    }
  }

  // MARK: The start

  private func start(_ call: Call) async throws -> Answer {
    let request = try HandlerRequest(call.query)
    guard let project = try await services.projects.project(apiKey: request.apiKey) else {
      throw HandlerFault.apiKey
    }
    return try await page(call, of: project) { try await start(request, project, call) }
  }

  private func start(
    _ request: HandlerRequest, _ project: Project, _ call: Call
  ) async throws -> Answer {
    let destination = try await destination(request, project)
    let address = HandlerAddress(call, project, configuration)
    do {
      var wish = BrowserRedirect.Wish(
        providerID: request.providerID,
        redirectURI: address.url + Self.redirectPath(of: request.providerID, in: project).text,
        sessionDigest: request.sessionDigest, destination: destination)
      if case .app(let app) = request.requester { wish.bundleID = app.bundleID }
      wish.scopes = request.scopes
      wish.parameters = request.parameters
      wish.allowsAnyParameter = configuration.development != nil
      let (signIn, url) = try await BrowserRedirect(services: services).begin(
        wish, in: project, call)
      // Google's SDKs append an App Check token to this request's URL, as its fragment (`#fac=…`).
      // "If the Location value provided in a 3xx (Redirection) response does not have a fragment
      // component, a user agent MUST process the redirection as if the value inherits the fragment"
      // (RFC 9110 §10.2.2). With an empty fragment, the provider's page doesn't get the token.
      var answer = redirect(url + "#")
      answer.headers[.setCookie] =
        BrowserCookie(signIn, isSecure: address.isSecure).setting(signIn)
      return answer
    } catch {
      guard let told = AppError(error) else { throw error }
      return tell(.failed(told), destination, address, project, call)
    }
  }

  private func destination(
    _ request: HandlerRequest, _ project: Project
  ) async throws -> BrowserSignIn.Destination {
    let addresses = try await ReturnAddresses.of(
      project, services, configuration)
    do throws(ReturnAddresses.Fault) {
      return try addresses.destination(of: request)
    } catch {
      throw HandlerFault(error)
    }
  }

  // MARK: The arrival

  private func arrive(_ arrived: ArrivedFields, _ call: Call) async throws -> Answer {
    let signIn = try services.accounts.browserSignIn(ofState: arrived["state"], now: call.now)
    let project = try await services.projects.project(signIn.project)
    return try await page(call, of: project) { try await arrive(arrived, signIn, project, call) }
  }

  private func arrive(
    _ arrived: ArrivedFields, _ signIn: BrowserSignIn, _ project: Project?, _ call: Call
  ) async throws -> Answer {
    try Self.checkPlace(of: signIn, call)
    guard let destination = signIn.destination else {
      throw AccountsError.browserSignIn(.notIssued)
    }
    let address = address(of: signIn, call)
    let cookie = BrowserCookie(signIn, isSecure: address.isSecure)
    try await services.accounts.checkBrowser(
      of: signIn, cookie: cookie.value(in: call.head.headerFields))
    let result: AuthEvent.Result
    var name: ArrivedName?
    do {
      let answer = try await arrived.answer(to: signIn, services, now: call.now)
      name = await nameSentOnce(in: answer, arrived, call)
      let sealed = try services.accounts.seal(answer)
      result = .answered(
        link: "\(address.url)\(RedirectPath.shared)?answer=\(sealed)",
        sessionID: signIn.ownSessionID)
    } catch {
      guard let told = AppError(error) else { throw error }
      result = .failed(told)
    }
    try await services.accounts.arrive(signIn, keeping: name, now: call.now)
    if case .failed(let told) = result {
      call.logger.info(
        "A sign-in in a browser failed",
        metadata: ["provider": "\(signIn.provider)", "code": "\(told.code)"])
    }
    var answer = tell(result, destination, address, project, call)
    answer.headers[.setCookie] = cookie.clearing
    return answer
  }

  /// "Clients MUST check that the authorization response was received from the correct issuer by
  /// comparing the distinct redirect URI for the issuer to the URI where the authorization response
  /// was received on. If there is a mismatch, the client MUST abort the flow" (RFC 9700 §4.4.2.2).
  private static func checkPlace(
    of signIn: BrowserSignIn, _ call: Call
  ) throws(AccountsError) {
    let expected = RedirectPath(of: signIn.provider, in: signIn.project).text
    guard path(call).hasSameBytes(as: expected) else { throw .browserSignIn(.otherAddress) }
  }

  private func tell(
    _ result: AuthEvent.Result, _ destination: BrowserSignIn.Destination,
    _ address: HandlerAddress, _ project: Project?, _ call: Call
  ) -> Answer {
    guard let page = destination.page else {
      return toApp(Self.appURL(destination, result, address), of: project, call)
    }
    let delivery = EventDelivery(result, for: destination, page: page)
    return Answer(
      HTMLPage(
        .telling(delivery), PageLanguage(call), below: address.pathPrefix, of: project))
  }

  /// The app's URL with `deep_link_id`, from which the app takes the response. It doesn't contain
  /// the session id, which the app has.
  static func appURL(
    _ destination: BrowserSignIn.Destination, _ result: AuthEvent.Result,
    _ address: HandlerAddress
  ) -> String {
    let query = Query { query in
      query.add("authType", destination.mode.rawValue)
      query.add("eventId", destination.eventID)
      switch result {
      case .answered(let link, _): query.add("link", link)
      case .failed(let error): query.add("firebaseError", error.text)
      }
    }
    let deepLink = Query {
      $0.add("deep_link_id", "\(address.url)/__/auth/callback?\(query.text)")
    }
    let separator = destination.url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return destination.url + separator + deepLink.text
  }

  // MARK: Parts

  private static func redirectPath(of provider: String, in project: Project) -> RedirectPath {
    ProviderID(provider).map { RedirectPath(of: $0, in: project.id) } ?? .shared
  }

  /// The path at which a request arrived, below the public URL, in the form of
  /// ``redirectPath(of:in:)``.
  private static func path(_ call: Call) -> String {
    guard let project = call.path.project, let provider = call.path.resource else {
      return RedirectPath.shared.text
    }
    return "\(RedirectPath.shared)/\(project)/\(provider)"
  }

  func address(of signIn: BrowserSignIn, _ call: Call) -> HandlerAddress {
    HandlerAddress(of: signIn) ?? HandlerAddress(call, nil, configuration)
  }

  func redirect(_ url: String) -> Answer {
    var answer = Answer(redirect: url)
    answer.headers.merge(PageHeaders.redirect)
    return answer
  }

  func page(_ content: PageContent, of project: Project? = nil, _ call: Call) -> Answer {
    Answer(HTMLPage(content, PageLanguage(call), below: configuration.pathPrefix, of: project))
  }

  /// Returns a page if `body` throws an error for which there is one.
  private func page(
    _ call: Call, of project: Project? = nil, _ body: () async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await body()
    } catch let fault as HandlerFault {
      return page(.fault(fault), of: project, call)
    } catch AccountsError.browserSignIn(let fault) {
      return page(.fault(HandlerFault(fault)), of: project, call)
    }
  }
}

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

/// The cookie by which the server recognizes the browser that began a sign-in. Each sign-in has its
/// own, so that two tabs don't interfere.
struct BrowserCookie: Sendable {
  private let name: String
  private let attributes: String

  /// - Parameter isSecure: Whether the server's configured URL is https. Then the name begins with
  ///   `__Host-`, and no other host, and no page over http, can set the cookie (RFC 6265bis
  ///   §4.1.3.2).
  init(_ signIn: BrowserSignIn, isSecure: Bool) {
    name = (isSecure ? "__Host-" : "") + "gatehouse-signin-\(signIn.cookieTag)"
    // Lax: the browser has to send the cookie when the provider redirects it back, but not with a
    // POST from another site.
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  func setting(_ signIn: BrowserSignIn) -> String {
    "\(name)=\(signIn.cookieValue.reveal())\(attributes)"
      + "; Max-Age=\(Int(BrowserSignIn.lifetimeSeconds))"
  }

  var clearing: String { "\(name)=\(attributes); Max-Age=0" }

  func value(in headers: HTTPFields) -> String? { headers.cookie(named: name) }
}
