import Foundation
import GatehouseProtocol
import GatehouseServer
import Testing

extension BrowserSignIn {
  /// The sign-in in a browser that every test's response belongs to.
  static let tests = try? make()

  static func make(demand: AuthenticationDemand = AuthenticationDemand()) throws -> BrowserSignIn {
    var start = Start(
      provider: .google, redirectURI: "https://auth.example.com/cb", sessionDigest: nil)
    start.demand = demand
    return BrowserSignIn(
      start, in: try #require(ProjectID("test-project")),
      now: Date(timeIntervalSince1970: 1_800_000_000))
  }
}

extension BrowserAnswer {
  /// The raw nonce of the request.
  static var nonce: String { BrowserSignIn.tests?.nonce ?? "" }

  static func of(
    _ proof: Proof, issuer: String? = nil, to signIn: BrowserSignIn? = .tests
  ) throws -> BrowserAnswer {
    let signIn = try #require(signIn)
    return BrowserAnswer(to: signIn, proof, issuer: issuer, arrivedAt: signIn.startedAt)
  }
}
