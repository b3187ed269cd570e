/// The list of all endpoints. Each endpoint declares its own routes.
enum Routes {
  static func all(_ services: APIServices, _ configuration: APIConfiguration) -> [Route] {
    let endpoints =
      clients(services, configuration) + administrators(services, configuration)
      + open(services, configuration) + browsers(services, configuration)
      + development(services, configuration)
    return endpoints.flatMap(\.routes)
  }

  private static func clients(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    let links = ActionLinks(services: services, configuration: configuration)
    return [
      SignInWithIdp(services: services), SignUp(services: services, links: links),
      SignInWithPassword(services: services),
      SignInWithCustomToken(services: services, configuration: configuration),
      SignInWithFirebaseToken(services: services),
      SignInWithSecondFactor(services: services), EnrollSecondFactor(services: services),
      CreateAuthURI(services: services, configuration: configuration),
      Lookup(services: services), Update(services: services, links: links),
      SendOobCode(services: services, links: links), ResetPassword(services: services),
      SignInWithEmailLink(services: services, links: links), Delete(services: services),
      ExportAccount(services: services), DeviceSessions(services: services),
      WatchAccount(services: services),
      SendVerificationCode(services: services), SignInWithPhoneNumber(services: services),
      EnrollPasskey(services: services), SignInWithPasskey(services: services),
      RevokeToken(services: services), Nonces(services: services),
      Token(services: services, configuration: configuration), GetProject(),
      GetPasswordPolicy(), GetRecaptcha(configuration: configuration),
    ]
  }

  private static func administrators(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    [
      CreateAccount(services: services), UpdateAccount(services: services),
      BatchGet(services: services), BatchDelete(services: services),
      BatchCreate(services: services, configuration: configuration),
      QueryAccounts(services: services), SearchAccounts(services: services),
      ReadStatistics(services: services),
      DefaultSupportedIdps(),
      CreateSessionCookie(services: services), UploadServiceAccountKey(services: services),
      ProjectConfig(services: services, configuration: configuration),
      ProviderConfigs(
        services: services, configuration: configuration, collection: .openIDConnect),
      ProviderConfigs(services: services, configuration: configuration, collection: .builtIn),
      ManageTransfer(services: services),
      Hooks(services: services, configuration: configuration),
      ManageProjects(services: services, configuration: configuration),
      ManageAPIKeys(services: services),
      ManageApps(services: services, configuration: configuration),
      ManageAdminKeys(services: services),
      ManageServiceAccounts(services: services, configuration: configuration),
      ManageEmailTemplates(services: services), ManageOutbox(services: services),
      ReadEventLog(services: services),
      KeepAccount(services: services), RevokeAll(services: services),
      ManageCodeWebhook(services: services, configuration: configuration),
      ManageBlockingFunctions(services: services), ManageSigningKeys(services: services),
      ManageServer(services: services, configuration: configuration),
      ManageConsoleUsers(services: services, configuration: configuration),
    ]
  }

  private static func open(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    [
      PublicKeys(services: services, kind: .idTokens),
      PublicKeys(services: services, kind: .sessionCookies),
      DiscoveryDocument(services: services, configuration: configuration, kind: .idTokens),
      DiscoveryDocument(services: services, configuration: configuration, kind: .sessionCookies),
      ClientKeys(services: services), Health(services: services),
      OpenAPI(configuration: configuration),
      AppleAppSiteAssociation(services: services, configuration: configuration),
      AppleDomainVerification(configuration: configuration),
      DigitalAssetLinks(services: services),
      PasskeyDocuments(services: services, configuration: configuration),
      ProviderNotifications(services: services),
    ]
  }

  private static func browsers(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    [
      SignInHandler(services: services, configuration: configuration),
      EventFrame(services: services, configuration: configuration),
      ActionPages(
        services: services,
        links: ActionLinks(services: services, configuration: configuration)),
    ] + PageScript.allCases + console(services, configuration)
      + (configuration.development == nil ? [HomePage(configuration: configuration)] : [])
  }

  private static func console(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    guard configuration.hasConsole else { return [] }
    return [Console(services: services, configuration: configuration)]
  }

  /// The emulator's endpoints, which answer only in `--dev`, and the welcome page.
  private static func development(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    let links = ActionLinks(services: services, configuration: configuration)
    let welcome = configuration.development.map {
      WelcomePage(services: services, development: $0)
    }
    return [
      ClearAccounts(services: services), EmulatorConfig(services: services),
      ListOobCodes(services: services), ListVerificationCodes(services: services),
      FollowLink(services: services, links: links),
    ] + [welcome].compactMap(\.self) + mailbox(services, configuration)
  }

  private static func mailbox(
    _ services: APIServices, _ configuration: APIConfiguration
  ) -> [any Endpoint] {
    guard let mails = services.mails, let development = configuration.development else { return [] }
    return [
      MailboxAPI(mails: mails),
      MailboxPage(services: services, mails: mails, development: development),
    ]
  }
}
