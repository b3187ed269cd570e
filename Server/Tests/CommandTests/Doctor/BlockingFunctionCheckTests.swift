import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@testable import gatehouse

@Suite struct BlockingFunctionCheckTests {
  private func findings(
    _ change: (inout BlockingFunctions) -> Void
  ) throws -> [Finding] {
    var project = Project(
      id: try #require(ProjectID("my-app")), number: 1, issuer: "https://auth.example.com/my-app",
      authorizedDomains: [], policies: ProjectPolicies())
    change(&project.blockingFunctions)
    return BlockingFunctionCheck.findings(of: project)
  }

  private func set(
    _ functions: inout BlockingFunctions, _ url: String,
    _ policy: BlockingFunction.FailurePolicy = .refuse
  ) {
    _ = functions.set(
      .beforeSignIn, url: url, onFailure: policy, now: Date(timeIntervalSince1970: 0))
  }

  @Test func `a project without functions has no finding`() throws {
    #expect(try findings { _ in }.isEmpty)
  }

  @Test(arguments: [
    (BlockingFunction.FailurePolicy.refuse, "users are refused"), (.allow, "users pass unchecked"),
  ])
  func `the finding says what a failure leads to`(
    _ policy: BlockingFunction.FailurePolicy, _ text: String
  ) throws {
    let found = try findings { set(&$0, "https://f.example.com/secret", policy) }
    #expect(found.map(\.verdict) == [.ok])
    #expect(found[0].detail == "f.example.com decides; if it fails, \(text)")
  }

  @Test func `a URL that can't be called is a failure`() throws {
    let found = try findings { set(&$0, "http://f.example.com/") }
    #expect(
      found.map(\.verdict) == [
        .failed(remedy: "gatehouse blocking-functions set beforeSignIn --url https://…")
      ])
  }

  @Test func `forwarded refresh tokens are a warning`() throws {
    let found = try findings {
      set(&$0, "https://f.example.com/")
      $0.forwarded = [.refreshToken]
    }
    #expect(found.count == 2)
    #expect(found[1].detail.contains("refresh tokens"))
  }
}
