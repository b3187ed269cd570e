import AuthenticationServices
import CryptoKit
import FacebookCore
import FirebaseAuth
import Foundation
import GoogleSignIn
import SimulatedDevice
import Testing
import UIKit

/// A new device, and the person who uses it.
struct Device {
  let server: GatehouseServer
  let person: String
  let email: String

  /// A device on which no user is signed in to the app, and a person who has never used the app.
  @MainActor static func unpacked() async throws -> Device {
    let server = try #require(GatehouseServer.current)
    let person = "person-\(UInt64.random(in: 0...UInt64.max))"
    SimulatedDevice.current = SimulatedDevice(simulatorURL: server.simulatorURL, person: person)
    let device = Device(server: server, person: person, email: "\(person)@example.com")
    try await device.make(person)
    try Auth.auth().signOut()
    GIDSignIn.sharedInstance.signOut()
    AccessToken.current = nil
    UIApplication.shared.simulateLaunch(UIViewController())
    return device
  }

  /// Creates a person in the simulator.
  func make(_ id: String) async throws {
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/simulator/persons",
      [
        "id": .string(id), "email": .string("\(id)@example.com"), "givenName": "Zoë",
        "familyName": "Nguyễn",
      ])
    try #require(reply.status == 201)
  }

  // MARK: State of the server and the providers

  func account(_ uid: String) async throws -> JSON {
    try await HTTP.send(
      "POST", "\(server.baseURL)/identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup",
      bearer: "owner", ["localId": .array([.string(uid)])]
    ).json["users"][0]
  }

  func deleteAccountAsAdministrator(_ uid: String) async throws {
    let reply = try await HTTP.send(
      "POST", "\(server.baseURL)/identitytoolkit.googleapis.com/v1/projects/demo/accounts:delete",
      bearer: "owner", ["localId": .string(uid)])
    try #require(reply.status == 200)
  }

  /// The person deletes the account on another device, where they are signed in with Apple.
  @MainActor func deleteAccountOnAnotherDevice() async throws {
    let (sheet, nonce) = try await appleSheet()
    let token = String(decoding: try #require(sheet.identityToken), as: UTF8.self)
    let methods = "\(server.baseURL)/identitytoolkit.googleapis.com/v1/accounts"
    let signedIn = try await HTTP.post(
      "\(methods):signInWithIdp?key=any-key",
      [
        "postBody": .string("id_token=\(token)&nonce=\(nonce)&providerId=apple.com"),
        "requestUri": "http://localhost", "returnSecureToken": true,
      ])
    let idToken = try #require(signedIn.json["idToken"].string)
    let reply = try await HTTP.post(
      "\(methods):delete?key=any-key", ["idToken": .string(idToken)])
    try #require(reply.status == 200)
  }

  /// Apple's record of the person's authorization of the app.
  func appleState() async throws -> String? {
    let user = try await HTTP.get("\(server.simulatorURL)/simulator/persons/\(person)")
      .json["subjects"]["apple"].string
    let escaped = SimulatorCall.escape(try #require(user))
    return try await HTTP.get(
      "\(server.simulatorURL)/apple/credential-state?client_id=com.example.app&user=\(escaped)"
    ).json["state"].string
  }

  /// `provider` alone if the person's settings there have an app; otherwise nothing.
  func apps(at provider: String) async throws -> [String] {
    try await HTTP.get("\(server.simulatorURL)/simulator/persons/\(person)/apps")
      .json.text.contains("\"\(provider)\"") ? [provider] : []
  }

  /// Does what “Stop using” in the person's settings does.
  func withdraw(_ provider: String, _ client: String) async throws {
    let reply = try await HTTP.post(
      "\(server.simulatorURL)/simulator/persons/\(person)/withdraw-consent",
      ["provider": .string(provider), "client_id": .string(client)])
    try #require(reply.status < 300)
  }

  func setFault(_ path: String, status: Int, count: Int = 1) async throws {
    let fault: JSON = [
      "path": .string(path), "status": .number(Double(status)), "count": .number(Double(count)),
    ]
    let reply = try await HTTP.send(
      "PUT", "\(server.simulatorURL)/simulator/faults", ["endpoints": .array([fault])])
    try #require(reply.status < 300)
  }

  func endFaults() async throws {
    _ = try await HTTP.send("DELETE", "\(server.simulatorURL)/simulator/faults")
  }

  // MARK: Signing in without a guide

  /// The credential of a fresh Apple sheet, and the nonce of its request.
  @MainActor func appleSheet() async throws -> (ASAuthorizationAppleIDCredential, nonce: String) {
    let nonce = UUID().uuidString
    let request = ASAuthorizationAppleIDProvider().createRequest()
    request.requestedScopes = [.fullName, .email]
    request.nonce = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined()
    let waiting = SheetAnswer()
    let authorization = try await waiting.perform(request)
    let credential = try #require(authorization.credential as? ASAuthorizationAppleIDCredential)
    return (credential, nonce)
  }

  @MainActor func appleCredential() async throws -> AuthCredential {
    let (sheet, nonce) = try await appleSheet()
    let token = String(decoding: try #require(sheet.identityToken), as: UTF8.self)
    return OAuthProvider.appleCredential(
      withIDToken: token, rawNonce: nonce, fullName: sheet.fullName)
  }

  @MainActor func googleCredential() async throws -> AuthCredential {
    let result = try await GIDSignIn.sharedInstance.signIn(withPresenting: UIViewController())
    let token = try #require(result.user.idToken?.tokenString)
    return GoogleAuthProvider.credential(
      withIDToken: token, accessToken: result.user.accessToken.tokenString)
  }
}

@MainActor private final class SheetAnswer: NSObject, ASAuthorizationControllerDelegate {
  private var continuation: CheckedContinuation<ASAuthorization, any Error>?

  func perform(_ request: ASAuthorizationAppleIDRequest) async throws -> ASAuthorization {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      let controller = ASAuthorizationController(authorizationRequests: [request])
      controller.delegate = self
      controller.performRequests()
    }
  }

  func authorizationController(
    controller: ASAuthorizationController,
    didCompleteWithAuthorization authorization: ASAuthorization
  ) {
    nonisolated(unsafe) let authorization = authorization
    continuation?.resume(returning: authorization)
  }

  func authorizationController(
    controller: ASAuthorizationController, didCompleteWithError error: any Error
  ) { continuation?.resume(throwing: error) }
}

/// Checks until `holds` is true, for at most five minutes.
@MainActor func eventually(
  _ what: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ holds: @MainActor () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(300)
  while try await !holds() {
    try #require(ContinuousClock.now < end, what, sourceLocation: sourceLocation)
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// The value with which `body` calls its completion handler, once.
///
/// - Throws: The error with which the handler is called instead.
@MainActor func outcome<Value>(
  _ body: (@escaping @MainActor (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    body { value, error in
      if let value {
        nonisolated(unsafe) let value = value
        continuation.resume(returning: value)
      } else {
        continuation.resume(throwing: error ?? NoOutcome())
      }
    }
  }
}

struct NoOutcome: Error {}
