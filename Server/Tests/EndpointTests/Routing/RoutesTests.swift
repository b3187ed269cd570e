import GatehouseProtocol
import Testing

@testable import GatehouseServer

/// Who may call what, as a readable list: a change of a path, a role or an envelope has to be made
/// here, too.
@Suite struct RoutesTests {
  @Test func `every route has its path, its caller, its role and its envelope`() async throws {
    try await TestServer.with { server in
      let project = try #require(ProjectID("demo"))
      let routes = Routes.all(
        server.services,
        APIConfiguration(
          mode: .development(.init(defaultProject: project, allowedHosts: [])),
          publicURL: "https://auth.example.com"))
      #expect(
        routes.map(Self.line).sorted() == Self.expected.split(separator: "\n").map(String.init))
    }
  }

  @Test func `only a development server has the welcome page`() async throws {
    try await TestServer.with(.production) { server in
      let routes = Routes.all(
        server.services,
        APIConfiguration(mode: .production, publicURL: "https://auth.example.com"))
      #expect(!routes.contains { $0.name == "welcome" })
    }
  }

  private static func line(_ route: Route) -> String {
    let line =
      "\(route.method.rawValue) \(route.pattern) \(route.name): \(route.access)"
      + (route.role == .administrator ? "" : " \(route.role)")
      + (route.isOfAnyProject ? " of any project" : "")
      + (route.envelope == .identityToolkit ? "" : " \(route.envelope)")
      + (route.bodyBytes.map { " \($0)" } ?? "") + (route.isFramed ? " framed" : "")
    return route.isSignIn ? line + " sign-in" : line
  }

  private static let expected = """
    DELETE console/session console.signOut: console
    DELETE emulator/v1/projects/*/accounts emulator.clear: developer
    DELETE v2/projects/* projects.delete: administrator owner
    DELETE v2/projects/*/adminKeys/* project.adminKeys.delete: administrator owner
    DELETE v2/projects/*/androidApps/* androidApps.delete: administrator
    DELETE v2/projects/*/apiKeys/* apiKeys.delete: administrator
    DELETE v2/projects/*/codeWebhook codeWebhook.delete: administrator
    DELETE v2/projects/*/defaultSupportedIdpConfigs/* defaultSupportedIdpConfigs.delete: administrator
    DELETE v2/projects/*/emailTemplates/*/languages/* emailTemplates.delete: administrator
    DELETE v2/projects/*/hooks/* hooks.delete: administrator
    DELETE v2/projects/*/iosApps/* iosApps.delete: administrator
    DELETE v2/projects/*/oauthIdpConfigs/* oauthIdpConfigs.delete: administrator
    DELETE v2/projects/*/outbox/* project.outbox.drop: administrator
    DELETE v2/projects/*/serviceAccounts/* serviceAccounts.delete: administrator
    DELETE v2/projects/*/serviceAccounts/*/keys/* serviceAccounts.keys.delete: administrator
    DELETE v2/server/adminKeys/* adminKeys.delete: server owner
    DELETE v2/server/consoleUsers/* consoleUsers.delete: server owner
    DELETE v2/server/outbox/* outbox.drop: server
    GET */.well-known/jwks.json keys: anyone
    GET */.well-known/openid-configuration discovery: anyone
    GET */session/.well-known/jwks.json cookieKeys: anyone
    GET */session/.well-known/openid-configuration discovery: anyone
    GET .well-known/apple-app-site-association appLinks.apple: anyone
    GET .well-known/apple-developer-domain-association.txt appLinks.verification: anyone
    GET .well-known/assetlinks.json appLinks.android: anyone
    GET .well-known/jwks.json keys: anyone
    GET .well-known/openid-configuration discovery: anyone
    GET .well-known/passkey-endpoints passkeys.endpoints: anyone
    GET .well-known/webauthn passkeys.origins: anyone
    GET / welcome: development page
    GET __/auth/action auth.action: anyone page
    GET __/auth/callback auth.callback: anyone page
    GET __/auth/gapi.js auth.script: anyone page
    GET __/auth/handler auth.handler: anyone page
    GET __/auth/handler.js auth.script: anyone page
    GET __/auth/handler/*/* auth.handler: anyone page
    GET __/auth/iframe auth.iframe: anyone page framed
    GET __/auth/iframe.js auth.script: anyone page
    GET __/auth/keys/*/* clientKeys: anyone
    GET __/auth/passkeys.js auth.script: anyone page
    GET __/auth/popup.js auth.script: anyone page
    GET __/auth/redirect.js auth.script: anyone page
    GET __/welcome/account.js welcome: development page
    GET __/welcome/actions.js welcome: development page
    GET __/welcome/calls.js welcome: development page
    GET __/welcome/data.js welcome: development page
    GET __/welcome/deletion.js welcome: development page
    GET __/welcome/design.css welcome: development page
    GET __/welcome/elements.js welcome: development page
    GET __/welcome/email.js welcome: development page
    GET __/welcome/icon.svg welcome: development page
    GET __/welcome/main.js welcome: development page
    GET __/welcome/passkey.js welcome: development page
    GET __/welcome/questions.js welcome: development page
    GET __/welcome/second-factor.js welcome: development page
    GET __/welcome/session.js welcome: development page
    GET __/welcome/sign-in.js welcome: development page
    GET __/welcome/welcome.css welcome: development page
    GET console console: console page
    GET console/* console: console page
    GET console/session console.session: console
    GET console/sessions console.sessions: console
    GET emulator/action emulator.action: development
    GET emulator/auth/callback auth.callback: development page
    GET emulator/auth/gapi.js auth.script: development page
    GET emulator/auth/handler auth.handler: development page
    GET emulator/auth/handler.js auth.script: development page
    GET emulator/auth/iframe auth.iframe: development page framed
    GET emulator/auth/iframe.js auth.script: development page
    GET emulator/auth/passkeys.js auth.script: development page
    GET emulator/auth/popup.js auth.script: development page
    GET emulator/auth/redirect.js auth.script: development page
    GET emulator/v1/projects/*/config emulator.config.get: developer
    GET emulator/v1/projects/*/oobCodes emulator.oobCodes: developer
    GET emulator/v1/projects/*/verificationCodes emulator.verificationCodes: developer
    GET livez livez: anyone
    GET openapi.json openapi: anyone
    GET readyz readyz: anyone
    GET relyingparty/getProjectConfig getProject: client
    GET relyingparty/getRecaptchaParam recaptchaParams: client
    GET relyingparty/publicKeys cookieCertificates: anyone
    GET robot/v1/metadata/jwk/securetoken@system.gserviceaccount.com keys: anyone
    GET robot/v1/metadata/x509/securetoken@system.gserviceaccount.com certificates: anyone
    GET v1/accounts:export export: user
    GET v1/accounts:sessions sessions: user
    GET v1/accounts:watch watch: user
    GET v1/projects getProject: client
    GET v1/projects/*/accounts:batchGet accounts.batchGet: administrator viewer
    GET v1/projects/*/accounts:export accounts.export: administrator viewer
    GET v1/projects/*/accounts:sessions accounts.sessions: administrator viewer
    GET v1/recaptchaParams recaptchaParams: client
    GET v1/sessionCookiePublicKeys cookieKeys: anyone
    GET v2/defaultSupportedIdps idps.list: administrator
    GET v2/passwordPolicy passwordPolicy: client
    GET v2/projects projects.list: server viewer of any project
    GET v2/projects/* projects.get: administrator viewer
    GET v2/projects/*/adminKeys project.adminKeys.list: administrator owner
    GET v2/projects/*/androidApps androidApps.list: administrator viewer
    GET v2/projects/*/androidApps/* androidApps.get: administrator viewer
    GET v2/projects/*/apiKeys apiKeys.list: administrator viewer
    GET v2/projects/*/codeWebhook codeWebhook.get: administrator
    GET v2/projects/*/config config.get: administrator viewer
    GET v2/projects/*/defaultSupportedIdpConfigs defaultSupportedIdpConfigs.list: administrator viewer
    GET v2/projects/*/defaultSupportedIdpConfigs/* defaultSupportedIdpConfigs.get: administrator viewer
    GET v2/projects/*/defaultSupportedIdpConfigs/*/transfer transfer.get: administrator viewer
    GET v2/projects/*/emailTemplates emailTemplates.list: administrator viewer
    GET v2/projects/*/emailTemplates/*/languages/* emailTemplates.get: administrator viewer
    GET v2/projects/*/events project.events.list: administrator viewer
    GET v2/projects/*/events/* project.events.get: administrator viewer
    GET v2/projects/*/events:export project.events.export: administrator
    GET v2/projects/*/events:keys project.events.keys: administrator viewer
    GET v2/projects/*/hooks hooks.list: administrator viewer
    GET v2/projects/*/hooks/* hooks.get: administrator viewer
    GET v2/projects/*/hooks/*/deliveries hooks.deliveries: administrator viewer
    GET v2/projects/*/iosApps iosApps.list: administrator viewer
    GET v2/projects/*/iosApps/* iosApps.get: administrator viewer
    GET v2/projects/*/iosApps/*/config iosApps.config: administrator viewer
    GET v2/projects/*/oauthIdpConfigs oauthIdpConfigs.list: administrator viewer
    GET v2/projects/*/oauthIdpConfigs/* oauthIdpConfigs.get: administrator viewer
    GET v2/projects/*/outbox project.outbox.list: administrator viewer
    GET v2/projects/*/serviceAccounts serviceAccounts.list: administrator viewer
    GET v2/projects/*/serviceAccounts/* serviceAccounts.get: administrator viewer
    GET v2/projects/*/statistics statistics.get: administrator viewer
    GET v2/recaptchaConfig recaptchaConfig: client
    GET v2/server/adminKeys adminKeys.list: server owner
    GET v2/server/consoleUsers consoleUsers.list: server owner
    GET v2/server/events events.list: server viewer
    GET v2/server/events/* events.get: server viewer
    GET v2/server/events:export events.export: server
    GET v2/server/events:keys events.keys: server viewer
    GET v2/server/outbox outbox.list: server viewer
    GET v2/server/serviceAccountKeys serviceAccountKeys.list: server owner
    GET v2/server/settings server.settings: server
    GET v2/server/signingKeys signingKeys.list: server viewer
    GET v2/server/version server.version: server viewer
    PATCH emulator/v1/projects/*/config emulator.config.patch: developer
    PATCH v2/projects/* projects.patch: administrator
    PATCH v2/projects/*/androidApps/* androidApps.patch: administrator
    PATCH v2/projects/*/codeWebhook codeWebhook.patch: administrator
    PATCH v2/projects/*/config config.patch: administrator
    PATCH v2/projects/*/defaultSupportedIdpConfigs/* defaultSupportedIdpConfigs.patch: administrator
    PATCH v2/projects/*/emailTemplates/*/languages/* emailTemplates.patch: administrator
    PATCH v2/projects/*/hooks/* hooks.patch: administrator
    PATCH v2/projects/*/iosApps/* iosApps.patch: administrator
    PATCH v2/projects/*/oauthIdpConfigs/* oauthIdpConfigs.patch: administrator
    PATCH v2/projects/*/serviceAccounts/* serviceAccounts.patch: administrator
    PATCH v2/server/consoleUsers/* consoleUsers.patch: server owner
    POST __/auth/action auth.action: anyone page
    POST __/auth/callback auth.callback: anyone page
    POST __/auth/handler auth.handler: anyone page
    POST __/auth/handler/*/* auth.handler: anyone page
    POST console/invitation console.invitation: console sign-in
    POST console/session console.signIn: console sign-in
    POST console/sessions:end console.endSession: console
    POST emulator/auth/callback auth.callback: development page
    POST emulator/auth/handler auth.handler: development page
    POST relyingparty/createAuthUri createAuthUri: client
    POST relyingparty/deleteAccount delete: client
    POST relyingparty/downloadAccount accounts.batchGet: administrator viewer
    POST relyingparty/emailLinkSignin signInWithEmailLink: client sign-in
    POST relyingparty/getAccountInfo lookup: client viewer
    POST relyingparty/getOobConfirmationCode sendOobCode: client
    POST relyingparty/resetPassword resetPassword: client
    POST relyingparty/sendVerificationCode sendVerificationCode: client
    POST relyingparty/setAccountInfo update: client
    POST relyingparty/signupNewUser signUp: client sign-in
    POST relyingparty/uploadAccount accounts.batchCreate: administrator 8388608
    POST relyingparty/verifyAssertion signInWithIdp: client sign-in
    POST relyingparty/verifyCustomToken signInWithCustomToken: client sign-in
    POST relyingparty/verifyPassword signInWithPassword: client sign-in
    POST relyingparty/verifyPhoneNumber signInWithPhoneNumber: client sign-in
    POST token token: clientOrAssertion secureToken
    POST v1/accounts:createAuthUri createAuthUri: client
    POST v1/accounts:delete delete: client
    POST v1/accounts:endSession endSession: client
    POST v1/accounts:export export: client
    POST v1/accounts:lookup lookup: client viewer
    POST v1/accounts:nameSession nameSession: client
    POST v1/accounts:resetPassword resetPassword: client
    POST v1/accounts:sendOobCode sendOobCode: client
    POST v1/accounts:sendVerificationCode sendVerificationCode: client
    POST v1/accounts:sessions sessions: client
    POST v1/accounts:signInWithCustomToken signInWithCustomToken: client sign-in
    POST v1/accounts:signInWithEmailLink signInWithEmailLink: client sign-in
    POST v1/accounts:signInWithFirebaseToken signInWithFirebaseToken: client sign-in
    POST v1/accounts:signInWithIdp signInWithIdp: client sign-in
    POST v1/accounts:signInWithPassword signInWithPassword: client sign-in
    POST v1/accounts:signInWithPhoneNumber signInWithPhoneNumber: client sign-in
    POST v1/accounts:signUp signUp: client sign-in
    POST v1/accounts:update update: client
    POST v1/accounts:watch watch: client
    POST v1/nonces nonces: client
    POST v1/notifications/apple/* notifications.apple: anyone
    POST v1/notifications/google/* notifications.google: anyone
    POST v1/projects/*/accounts accounts.create: administrator support
    POST v1/projects/*/accounts:batchCreate accounts.batchCreate: administrator 8388608
    POST v1/projects/*/accounts:batchDelete accounts.batchDelete: administrator support
    POST v1/projects/*/accounts:delete accounts.delete: administrator support
    POST v1/projects/*/accounts:endSession accounts.endSession: administrator support
    POST v1/projects/*/accounts:keep accounts.keep: administrator support
    POST v1/projects/*/accounts:lookup accounts.lookup: administrator viewer
    POST v1/projects/*/accounts:query accounts.query: administrator viewer
    POST v1/projects/*/accounts:revokeAll accounts.revokeAll: administrator
    POST v1/projects/*/accounts:sendOobCode accounts.sendOobCode: administrator support
    POST v1/projects/*/accounts:update accounts.update: administrator support
    POST v1/projects/*/serviceAccounts/*/keys:upload serviceAccounts.upload: administrator
    POST v1/projects/*:createSessionCookie createSessionCookie: administrator
    POST v1/projects/*:queryAccounts accounts.query: administrator viewer
    POST v1/token token: clientOrAssertion secureToken
    POST v2/accounts/mfaEnrollment:finalize mfaEnrollment.finalize: client sign-in
    POST v2/accounts/mfaEnrollment:start mfaEnrollment.start: client
    POST v2/accounts/mfaEnrollment:withdraw mfaEnrollment.withdraw: client sign-in
    POST v2/accounts/mfaSignIn:finalize mfaSignIn.finalize: client sign-in
    POST v2/accounts/mfaSignIn:start mfaSignIn.start: client
    POST v2/accounts/passkeyEnrollment:finalize passkeyEnrollment.finalize: client sign-in
    POST v2/accounts/passkeyEnrollment:start passkeyEnrollment.start: client
    POST v2/accounts/passkeySignIn:finalize passkeySignIn.finalize: client sign-in
    POST v2/accounts/passkeySignIn:start passkeySignIn.start: client
    POST v2/accounts/recoveryCodes:create recoveryCodes.create: client
    POST v2/accounts:revokeToken revokeToken: client
    POST v2/projects projects.create: server owner
    POST v2/projects/*/accounts:search accounts.search: administrator viewer
    POST v2/projects/*/adminKeys project.adminKeys.create: administrator owner
    POST v2/projects/*/androidApps androidApps.create: administrator
    POST v2/projects/*/apiKeys apiKeys.create: administrator
    POST v2/projects/*/blockingFunctions/*:rotateSecret blockingFunctions.rotateSecret: administrator
    POST v2/projects/*/blockingFunctions/*:test blockingFunctions.test: administrator
    POST v2/projects/*/codeWebhook:test codeWebhook.test: administrator
    POST v2/projects/*/defaultSupportedIdpConfigs defaultSupportedIdpConfigs.create: administrator
    POST v2/projects/*/defaultSupportedIdpConfigs/*/transfer:finish transfer.finish: administrator
    POST v2/projects/*/defaultSupportedIdpConfigs/*/transfer:prepare transfer.prepare: administrator
    POST v2/projects/*/defaultSupportedIdpConfigs/*:moveIssuer defaultSupportedIdpConfigs.moveIssuer: administrator
    POST v2/projects/*/defaultSupportedIdpConfigs/*:test defaultSupportedIdpConfigs.test: administrator
    POST v2/projects/*/emailTemplates/*/languages/*:preview emailTemplates.preview: administrator viewer
    POST v2/projects/*/events:verify project.events.verify: administrator viewer
    POST v2/projects/*/hooks hooks.create: administrator
    POST v2/projects/*/hooks/*:redeliver hooks.redeliver: administrator
    POST v2/projects/*/hooks/*:rotateSecret hooks.rotateSecret: administrator
    POST v2/projects/*/hooks/*:test hooks.test: administrator
    POST v2/projects/*/iosApps iosApps.create: administrator
    POST v2/projects/*/oauthIdpConfigs oauthIdpConfigs.create: administrator
    POST v2/projects/*/oauthIdpConfigs/*:moveIssuer oauthIdpConfigs.moveIssuer: administrator
    POST v2/projects/*/oauthIdpConfigs/*:test oauthIdpConfigs.test: administrator
    POST v2/projects/*/outbox/*:retry project.outbox.retry: administrator
    POST v2/projects/*/outbox:retryFailed project.outbox.retryFailed: administrator
    POST v2/projects/*/serviceAccounts serviceAccounts.create: administrator
    POST v2/projects/*/serviceAccounts/*/keys serviceAccounts.keys.create: administrator
    POST v2/server/adminKeys adminKeys.create: server owner
    POST v2/server/consoleUsers consoleUsers.create: server owner
    POST v2/server/consoleUsers/*:invite consoleUsers.invite: server owner
    POST v2/server/doctor server.doctor: server
    POST v2/server/events:verify events.verify: server viewer
    POST v2/server/mail:test server.testMail: server
    POST v2/server/outbox/*:retry outbox.retry: server
    POST v2/server/outbox:retryFailed outbox.retryFailed: server
    POST v2/server/signingKeys:rotate signingKeys.rotate: server owner
    """
}
