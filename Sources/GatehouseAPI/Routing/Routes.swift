import GatehouseAccounts
import HTTPTypes

/// All routes.
enum Routes {
  static func all(_ services: APIServices, _ configuration: APIConfiguration) -> [Route] {
    clients(services, configuration) + administrators(services, configuration)
      + providers(services, configuration, .openIDConnect)
      + providers(services, configuration, .builtIn) + open(services, configuration)
      + browser(services, configuration) + appLinks(services, configuration)
      + (configuration.development.map { welcome(services, $0) } ?? [])
  }

  private static func clients(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let token = Token(services: services, configuration: configuration)
    let others = [
      Route(
        method: .post, pattern: "v2/accounts:revokeToken", name: "revokeToken", access: .client,
        envelope: .identityToolkit, handle: RevokeToken(services: services).answer),
      Route(
        method: .post, pattern: "v1/nonces", name: "nonces", access: .client,
        envelope: .identityToolkit, handle: Nonces(services: services).answer),
    ]
    let tokens = Token.paths.map { pattern in
      Route(
        method: .post, pattern: pattern, name: "token", access: .clientOrAssertion,
        envelope: .secureToken, handle: token.answer)
    }
    return clientsOfAccounts(services, configuration) + others + tokens
      + settings(configuration)
  }

  private static func clientsOfAccounts(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let links = ActionLinks(services: services, configuration: configuration)
    let signInWithCustomToken = SignInWithCustomToken(
      services: services, configuration: configuration)
    let methods = [
      account("signInWithIdp", v3: "verifyAssertion", SignInWithIdp(services: services).answer),
      account("signUp", v3: "signupNewUser", SignUp(services: services, links: links).answer),
      account(
        "signInWithPassword", v3: "verifyPassword", SignInWithPassword(services: services).answer),
      account("signInWithCustomToken", v3: "verifyCustomToken", signInWithCustomToken.answer),
      account(
        "createAuthUri", v3: "createAuthUri",
        CreateAuthURI(services: services, configuration: configuration).answer),
      account("lookup", v3: "getAccountInfo", role: .viewer, Lookup(services: services).answer),
      account(
        "update", v3: "setAccountInfo", Update(services: services, links: links).answer),
      account(
        "sendOobCode", v3: "getOobConfirmationCode",
        SendOobCode(services: services, links: links).answer),
      account("resetPassword", v3: "resetPassword", ResetPassword(services: services).answer),
      account(
        "signInWithEmailLink", v3: "emailLinkSignin",
        SignInWithEmailLink(services: services, links: links).answer),
      account("delete", v3: "deleteAccount", Delete(services: services).answer),
      account(
        "sendVerificationCode", v3: "sendVerificationCode",
        SendVerificationCode(services: services).answer),
      account(
        "signInWithPhoneNumber", v3: "verifyPhoneNumber",
        SignInWithPhoneNumber(services: services).answer),
    ]
    return methods.flatMap(\.self)
  }

  /// The project's settings that a client may read.
  private static func settings(_ configuration: APIConfiguration) -> [Route] {
    let recaptcha = GetRecaptcha(configuration: configuration)
    let list: [(String, String, @Sendable (Call) throws -> Answer)] = [
      ("v1/projects", "getProject", GetProject().answer),
      ("relyingparty/getProjectConfig", "getProject", GetProject().answer),
      ("v2/passwordPolicy", "passwordPolicy", GetPasswordPolicy().answer),
      ("v2/recaptchaConfig", "recaptchaConfig", recaptcha.config),
      ("v1/recaptchaParams", "recaptchaParams", recaptcha.params),
      ("relyingparty/getRecaptchaParam", "recaptchaParams", recaptcha.params),
    ]
    return list.map { pattern, name, handle in
      Route(
        method: .get, pattern: pattern, name: name, access: .client, envelope: .identityToolkit,
        handle: handle)
    }
  }

  /// A client's method on accounts, under its v1 and v3 names.
  private static func account(
    _ name: String, v3: String, role: AdministratorRole = .admin,
    _ handle: @escaping @Sendable (Call) async throws -> Answer
  ) -> [Route] {
    ["v1/accounts:\(name)", "relyingparty/\(v3)"].map { pattern in
      Route(
        method: .post, pattern: pattern, name: name, access: .client, role: role,
        envelope: .identityToolkit, handle: handle)
    }
  }

  /// The methods that an administrator with the role `viewer` may call. Provider configurations
  /// aren't among them, because they contain secrets.
  private static let viewers = [
    "accounts.lookup", "accounts.batchGet", "accounts.query", "config.get",
  ]

  private static func administrators(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let links = ActionLinks(services: services, configuration: configuration)
    let accounts = "v1/projects/*/accounts"
    let config = ProjectConfig(services: services)
    let list: [(HTTPRequest.Method, String, String, @Sendable (Call) async throws -> Answer)] = [
      (.post, accounts, "accounts.create", CreateAccount(services: services).answer),
      (.post, "\(accounts):lookup", "accounts.lookup", Lookup(services: services).answer),
      (.post, "\(accounts):update", "accounts.update", UpdateAccount(services: services).answer),
      (.post, "\(accounts):delete", "accounts.delete", Delete(services: services).answer),
      (.get, "\(accounts):batchGet", "accounts.batchGet", BatchGet(services: services).answer),
      (
        .post, "\(accounts):batchDelete", "accounts.batchDelete",
        BatchDelete(services: services).answer
      ),
      (.post, "\(accounts):query", "accounts.query", QueryAccounts(services: services).answer),
      (
        .post, "v1/projects/*:queryAccounts", "accounts.query",
        QueryAccounts(services: services).answer
      ),
      (.get, "v2/defaultSupportedIdps", "idps.list", DefaultSupportedIdps().answer),
      (
        .post, "relyingparty/downloadAccount", "accounts.batchGet",
        BatchGet(services: services).legacy
      ),
      (
        .post, "\(accounts):sendOobCode", "accounts.sendOobCode",
        SendOobCode(services: services, links: links).answer
      ),
      (
        .post, "v1/projects/*:createSessionCookie", "createSessionCookie",
        CreateSessionCookie(services: services).answer
      ),
      (
        .post, "v1/projects/*/serviceAccounts/*/keys:upload", "serviceAccounts.upload",
        UploadServiceAccountKey(services: services).answer
      ),
      (.get, "v2/projects/*/config", "config.get", config.get),
      (.patch, "v2/projects/*/config", "config.patch", config.patch),
    ]
    return list.map { method, pattern, name, handle in
      Route(
        method: method, pattern: pattern, name: name, access: .administrator,
        role: viewers.contains(name) ? .viewer : .admin, envelope: .identityToolkit,
        handle: handle)
    }
      + ["\(accounts):batchCreate", "relyingparty/uploadAccount"].map { pattern in
        Route(
          method: .post, pattern: pattern, name: "accounts.batchCreate", access: .administrator,
          envelope: .identityToolkit, bodyBytes: BatchCreate.bodyBytes,
          handle: BatchCreate(services: services, configuration: configuration).answer)
      } + control(services, links)
  }

  /// The emulator's own endpoints, only in `--dev`.
  private static func control(_ services: APIServices, _ links: ActionLinks) -> [Route] {
    let project = "emulator/v1/projects/*"
    let config = EmulatorConfig(services: services)
    let list: [(HTTPRequest.Method, String, String, @Sendable (Call) async throws -> Answer)] = [
      (
        .delete, "\(project)/accounts", "emulator.clear",
        ClearAccounts(services: services).answer
      ),
      (.get, "\(project)/config", "emulator.config.get", config.get),
      (.patch, "\(project)/config", "emulator.config.patch", config.patch),
      (
        .get, "\(project)/oobCodes", "emulator.oobCodes",
        ListOobCodes(services: services).answer
      ),
      (
        .get, "\(project)/verificationCodes", "emulator.verificationCodes",
        ListVerificationCodes(services: services).answer
      ),
      (
        .get, "emulator/action", "emulator.action",
        FollowLink(services: services, links: links).answer
      ),
    ]
    return list.map { method, pattern, name, handle in
      Route(
        method: method, pattern: pattern, name: name, access: .development,
        envelope: .identityToolkit, handle: handle)
    }
  }

  private static func providers(
    _ services: APIServices, _ configuration: APIConfiguration, _ collection: ProviderCollection
  ) -> [Route] {
    let configs = ProviderConfigs(
      services: services, configuration: configuration, collection: collection)
    let all = "v2/projects/*/\(collection.rawValue)"
    let list: [(HTTPRequest.Method, String, String, @Sendable (Call) async throws -> Answer)] = [
      (.post, all, "create", configs.create), (.get, all, "list", configs.list),
      (.get, "\(all)/*", "get", configs.get), (.patch, "\(all)/*", "patch", configs.patch),
      (.delete, "\(all)/*", "delete", configs.delete),
    ]
    return list.map { method, pattern, name, handle in
      Route(
        method: method, pattern: pattern, name: "\(collection.rawValue).\(name)",
        access: .administrator, envelope: .identityToolkit, handle: handle)
    }
  }

  /// The pages that browsers are sent to during a sign-in, under the emulator's names, too.
  private static func browser(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let handler = SignInHandler(services: services, configuration: configuration)
    let frame = EventFrame(services: services, configuration: configuration)
    let list: [(HTTPRequest.Method, String, String, @Sendable (Call) async throws -> Answer)] =
      [
        (.get, "handler", "auth.handler", handler.get),
        (.post, "handler", "auth.handler", handler.post),
        (.get, "callback", "auth.callback", handler.callback),
        (.post, "callback", "auth.callback", handler.post),
        (.get, "iframe", "auth.iframe", frame.answer),
      ] + PageScript.allCases.map { (.get, "\($0.rawValue).js", "auth.script", $0.answer) }
    // The URLs at which OpenID Connect providers answer: see `RedirectPath`.
    let own = [(HTTPRequest.Method.get, handler.get), (.post, handler.post)].map { method, handle in
      Route(
        method: method, pattern: "__/auth/handler/*/*", name: "auth.handler", access: .anyone,
        envelope: .page, handle: handle)
    }
    return own
      + list.flatMap { method, place, name, handle in
        [("__/auth", Route.Access.anyone), ("emulator/auth", .development)].map { folder, access in
          Route(
            method: method, pattern: "\(folder)/\(place)", name: name, access: access,
            envelope: .page, isFramed: place == "iframe", handle: handle)
        }
      }
  }

  /// The files that Apple and Google read about this host.
  private static func appLinks(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let apple = AppleAppSiteAssociation(services: services, configuration: configuration)
    let verification = AppleDomainVerification(configuration: configuration)
    let list: [(String, String, @Sendable (Call) async throws -> Answer)] = [
      ("apple-app-site-association", "appLinks.apple", apple.answer),
      ("assetlinks.json", "appLinks.android", DigitalAssetLinks(services: services).answer),
      ("apple-developer-domain-association.txt", "appLinks.verification", verification.answer),
    ]
    return list.map { file, name, handle in
      Route(
        method: .get, pattern: ".well-known/\(file)", name: name, access: .anyone,
        envelope: .identityToolkit, handle: handle)
    }
  }

  /// The welcome page for newcomers, only in `--dev`.
  private static func welcome(
    _ services: APIServices, _ development: APIConfiguration.Development
  ) -> [Route] {
    let route = { (pattern: String, handle: @escaping Handler) in
      Route(
        method: .get, pattern: pattern, name: "welcome", access: .development, envelope: .page,
        handle: handle)
    }
    let page = WelcomePage(services: services, development: development)
    return [route("/") { try await page.answer($0) }]
      + WelcomeFile.all.map { file in
        route(WelcomeFile.folder + file.name) { _ in file.answer }
      }
  }

  private typealias Handler = @Sendable (Call) async throws -> Answer

  private static func open(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [Route] {
    let keys = PublicKeys(ring: services.idTokenKeys)
    let cookieKeys = PublicKeys(ring: services.sessionCookieKeys)
    let discovery = Discovery(services: services, configuration: configuration, kind: .idTokens)
    let cookieDiscovery = Discovery(
      services: services, configuration: configuration, kind: .sessionCookies)
    let health = Health(services: services)
    let clientKeys = ClientKeys(services: services)
    let google = "securetoken@system.gserviceaccount.com"
    let list: [(String, String, @Sendable (Call) async throws -> Answer)] = [
      ("robot/v1/metadata/jwk/\(google)", "keys", keys.keySet),
      ("robot/v1/metadata/x509/\(google)", "certificates", keys.certificates),
      (".well-known/jwks.json", "keys", keys.keySet),
      (".well-known/openid-configuration", "discovery", discovery.document),
      ("*/.well-known/jwks.json", "keys", discovery.keySet),
      ("*/.well-known/openid-configuration", "discovery", discovery.document),
      ("v1/sessionCookiePublicKeys", "cookieKeys", cookieKeys.keySet),
      ("relyingparty/publicKeys", "cookieCertificates", cookieKeys.certificates),
      ("*/session/.well-known/jwks.json", "cookieKeys", cookieDiscovery.keySet),
      ("*/session/.well-known/openid-configuration", "discovery", cookieDiscovery.document),
      ("__/auth/keys/*/*", "clientKeys", clientKeys.keySet),
      ("livez", "livez", health.live), ("readyz", "readyz", health.ready),
    ]
    return list.map { pattern, name, handle in
      Route(
        method: .get, pattern: pattern, name: name, access: .anyone, envelope: .identityToolkit,
        handle: handle)
    }
  }
}
