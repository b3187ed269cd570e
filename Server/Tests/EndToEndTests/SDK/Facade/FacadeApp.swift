import GatehouseAuth
@testable import GatehouseCore
import Foundation
import GatehouseClient

/// An app with code for `FirebaseAuth` on one device, against a real server.
struct FacadeApp: Sendable {
  let app: FirebaseApp
  let store: any SessionStore
  let server: GatehouseServer

  var auth: Auth { Auth.auth(app: app) }

  init(
    _ server: GatehouseServer, apiKey: String = "any-key", project: String = "demo",
    store: any SessionStore = MemoryStore(), name: String = Unique.name("facade"),
    knowsServer: Bool = true, listens: Bool = false
  ) throws {
    let options = FirebaseOptions(googleAppID: "1:12345:ios:0a1b2c", gcmSenderID: "12345")
    options.apiKey = apiKey
    options.projectID = project
    options.bundleID = SimulatedProviders.bundleID
    options.listensForChanges = listens
    if knowsServer { options.serverURL = URL(string: server.baseURL) }
    self.server = server
    self.store = store
    app = try FirebaseApp.add(
      name: name, values: options.values, services: AppServices(store: store))
  }

  /// The same app on the same device, started again.
  func launchedAgain() async throws -> FacadeApp {
    await app.delete()
    return try FacadeApp(server, store: store, name: app.name)
  }

  // MARK: Credentials from the device's sheets, as in Firebase's guides

  func apple(
    _ person: String, fullName: PersonNameComponents? = nil
  ) async throws -> (credential: OAuthCredential, code: String, user: String) {
    let nonce = Unique.nonce()
    let sheet = try await server.providers.apple(person, nonce: nonce)
    let credential = OAuthProvider.appleCredential(
      withIDToken: sheet.credential.idToken, rawNonce: nonce, fullName: fullName)
    return (credential, sheet.authorizationCode, sheet.user)
  }

  func google(_ person: String) async throws -> AuthCredential {
    let given = try await server.providers.google(person, nonce: nil)
    return GoogleAuthProvider.credential(withIDToken: given.idToken, accessToken: "")
  }

  func facebook(_ person: String) async throws -> AuthCredential {
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/facebook/native-sign-in",
      ["client_id": "1234567890", "person": .string(person)])
    guard let token = reply.json["accessToken"].string else { throw Unexpected(reply) }
    return FacebookAuthProvider.credential(withAccessToken: token)
  }

  /// The link in the latest email of `type` to `email`.
  func mailedLink(_ type: String, to email: String) async throws -> String {
    let listed = try await HTTP.get("\(server.baseURL)/emulator/v1/projects/demo/oobCodes")
    let found = listed.json["oobCodes"].array.last {
      $0["email"].string == email && $0["requestType"].string == type
    }
    guard let link = found?["oobLink"].string else { throw Unexpected(listed) }
    return link
  }

  func mailedCode(_ type: String, to email: String) async throws -> String {
    let link = try await mailedLink(type, to: email)
    guard let code = ActionCodeURL(link: link)?.code else { throw ClientFailure(link) }
    return code
  }
}

/// The error of `body`, cast as Firebase's guides do.
func authError(_ body: () async throws -> Void) async -> NSError? {
  do {
    try await body()
    return nil
  } catch let error as NSError {
    return error
  }
}

/// The error code of `body`.
func authCode(_ body: () async throws -> Void) async -> AuthErrorCode? {
  await authError(body) as? AuthErrorCode
}
