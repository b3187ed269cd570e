import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseWire
import HTTPTypes
import Logging

/// `/__/auth/handler`: runs a sign-in in a browser for an app that can't (protocol: "the web flow").
///
/// ```
///   app ──► GET ?apiKey&…            ──► 303 to the provider, with a cookie
///   provider ──► GET ?state&code     ──► 303 to the app
///   provider ──► POST state&code     ──► 303 to GET ?posted there, which the cookie comes along with
///   provider ──► GET #state&id_token ──► a page whose script repeats it as a query
///   app ──► signInWithIdp {requestUri: link, sessionId}
/// ```
///
/// Until the browser has shown its cookie nothing that came is believed, and a fault shows a page;
/// afterwards the app is told, as `firebaseError`. A provider answers at the address that it was
/// given, `RedirectPath`, and an answer that comes to another one is refused before that.
struct SignInHandler: Sendable {
  let services: APIServices
  let configuration: APIConfiguration

  func get(_ call: Call) async throws -> Answer {
    try await page(call) { () async throws -> Answer in
      // A preview of a link is no sign-in, and must not use one up.
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

  /// A form that a provider posts. The browser sends no cookie with another site's POST, so it is
  /// sent round: what came is sealed into the URL of a GET, with which it does.
  func post(_ call: Call) async throws -> Answer {
    try await page(call) { () async throws -> Answer in
      let arrived = try ArrivedFields(call.form ?? FormFields())
      let signIn = try services.accounts.browserSignIn(ofState: arrived["state"], now: call.now)
      try Self.checkPlace(of: signIn, call)
      let posted = try services.accounts.seal(postedForm: arrived.fields, now: call.now)
      return redirect("\(base(call))\(Self.path(call))?posted=\(posted)")
    }
  }

  /// `/__/auth/callback`: where an app's deep link leads if a browser opens it.
  func callback(_ call: Call) async throws -> Answer {
    if call.query["link"] != nil || call.query["firebaseError"] != nil {
      return page(.backToApp, call)
    }
    return try await get(call)
  }

  // MARK: The start

  private func start(_ call: Call) async throws -> Answer {
    let request = try HandlerRequest(call.query)
    guard let project = try await services.projects.project(apiKey: request.apiKey) else {
      throw HandlerFault.apiKey
    }
    let destination = try await destination(request, project)
    do {
      var wish = BrowserRedirect.Wish(
        providerID: request.providerID,
        redirectURI: base(call) + Self.redirectPath(of: request.providerID, in: project).text,
        sessionDigest: request.sessionDigest, destination: destination)
      wish.scopes = request.scopes
      wish.parameters = request.parameters
      wish.allowsAnyParameter = configuration.development != nil
      let (signIn, url) = try await BrowserRedirect(services: services).begin(
        wish, in: project, call)
      var answer = redirect(url)
      answer.headers[.setCookie] = cookie(signIn, call).setting(signIn)
      return answer
    } catch {
      guard let told = AppError(error) else { throw error }
      return redirect(address(destination, ["firebaseError": told.json], call))
    }
  }

  private func destination(
    _ request: HandlerRequest, _ project: Project
  ) async throws -> BrowserSignIn.Destination {
    let addresses = try await ReturnAddresses.of(
      project, services, isDevelopment: configuration.development != nil)
    let url: String
    do throws(ReturnAddresses.Fault) {
      if let redirectURL = request.redirectURL {
        try addresses.check(redirectURL)
        url = redirectURL
      } else {
        let scheme = try addresses.scheme(
          bundleID: request.bundleID ?? "", clientID: request.clientID, appID: request.appID)
        url = "\(scheme)://firebaseauth/link"
      }
    } catch {
      throw HandlerFault(error)
    }
    return BrowserSignIn.Destination(url: url, eventID: request.eventID, kind: request.kind)
  }

  // MARK: The arrival

  private func arrive(_ arrived: ArrivedFields, _ call: Call) async throws -> Answer {
    let signIn = try services.accounts.browserSignIn(ofState: arrived["state"], now: call.now)
    try Self.checkPlace(of: signIn, call)
    guard let destination = signIn.destination else {
      throw AccountsError.browserSignIn(.notIssued)
    }
    let cookie = cookie(signIn, call)
    try await services.accounts.arrive(
      signIn, cookie: cookie.value(in: call.head.headerFields), now: call.now)
    let result: KeyValuePairs<String, String>
    do {
      let answer = try await arrived.answer(to: signIn, services, now: call.now)
      let sealed = try services.accounts.seal(answer)
      result = ["link": "\(base(call))\(RedirectPath.shared)?answer=\(sealed)"]
    } catch {
      guard let told = AppError(error) else { throw error }
      call.logger.info(
        "A sign-in in a browser failed",
        metadata: ["provider": "\(signIn.provider)", "code": "\(told.code)"])
      result = ["firebaseError": told.json]
    }
    var answer = redirect(address(destination, result, call))
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

  /// The app's address with `deep_link_id`, from which it takes the answer.
  private func address(
    _ destination: BrowserSignIn.Destination, _ result: KeyValuePairs<String, String>, _ call: Call
  ) -> String {
    let query = Query { query in
      query.add("authType", destination.kind)
      query.add("eventId", destination.eventID)
      for (name, value) in result { query.add(name, value) }
    }
    let deepLink = Query { $0.add("deep_link_id", "\(base(call))/__/auth/callback?\(query.text)") }
    let separator = destination.url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return destination.url + separator + deepLink.text
  }

  // MARK: Parts

  private static func redirectPath(of provider: String, in project: Project) -> RedirectPath {
    ProviderID(provider).map { RedirectPath(of: $0, in: project.id) } ?? .shared
  }

  /// Where a request came to, below the public URL, as ``redirectPath(of:in:)`` writes it.
  private static func path(_ call: Call) -> String {
    guard let project = call.path.project, let provider = call.path.resource else {
      return RedirectPath.shared.text
    }
    return "\(RedirectPath.shared)/\(project)/\(provider)"
  }

  /// Where the browser is. In `--dev` by the name that it uses, which was checked to be this
  /// machine's: a cookie stays with it. Otherwise the public URL, whatever the request says.
  private func base(_ call: Call) -> String {
    let publicURL = configuration.publicURL
    guard configuration.development != nil, let authority = call.head.authority else {
      return publicURL
    }
    let scheme = publicURL.utf8.starts(with: "https:".utf8) ? "https" : "http"
    return OutboundURL("\(scheme)://\(authority)")
      .map { $0.text.dropLast() + configuration.pathPrefix } ?? publicURL
  }

  private func cookie(_ signIn: BrowserSignIn, _ call: Call) -> BrowserCookie {
    BrowserCookie(signIn, isSecure: base(call).utf8.starts(with: "https:".utf8))
  }

  private func redirect(_ url: String) -> Answer {
    var answer = Answer(redirect: url)
    answer.headers.merge(PageHeaders.redirect)
    return answer
  }

  private func page(_ content: PageContent, _ call: Call) -> Answer {
    Answer(HTMLPage(content, PageLanguage(call), below: configuration.pathPrefix))
  }

  /// Answers with a page where `body` throws what one can be shown for.
  private func page(_ call: Call, _ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let fault as HandlerFault {
      return page(.fault(fault), call)
    } catch AccountsError.browserSignIn(let fault) {
      return page(.fault(HandlerFault(fault)), call)
    }
  }
}
