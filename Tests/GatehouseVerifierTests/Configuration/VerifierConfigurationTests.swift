import GatehouseVerifier
import Testing

@testable import GatehouseVerifier

@Suite struct VerifierConfigurationTests {
  @Test(arguments: ["https://auth.example.com", "https://auth.example.com/"])
  func `in production the issuer is the public URL and the project`(_ url: String) throws {
    let made = try VerifierConfiguration(publicURL: url, projectID: "my-app")
    #expect(made.issuer == "https://auth.example.com/my-app")
    #expect(made.sessionCookieIssuer == "https://auth.example.com/my-app/session")
    #expect(
      made.keySet(of: .idTokens).absoluteString
        == "https://auth.example.com/my-app/.well-known/jwks.json")
    #expect(
      made.keySet(of: .sessionCookies).absoluteString
        == "https://auth.example.com/my-app/session/.well-known/jwks.json")
  }

  @Test func `a server that is reached elsewhere keeps its issuer`() throws {
    let made = try VerifierConfiguration(
      publicURL: "https://example.com/auth", projectID: "my-app",
      reachedAt: "http://localhost:8080/inner/")
    #expect(made.issuer == "https://example.com/auth/my-app")
    #expect(
      made.keySet(of: .idTokens).absoluteString
        == "http://localhost:8080/inner/my-app/.well-known/jwks.json")
  }

  @Test func `in development the issuer is Google's and the keys are the server's`() throws {
    let made = try VerifierConfiguration.development(projectID: "other")
    #expect(made.issuer == "https://securetoken.google.com/other")
    #expect(made.sessionCookieIssuer == "https://session.firebase.google.com/other")
    #expect(
      made.keySet(of: .idTokens).absoluteString
        == "http://127.0.0.1:9099/other/.well-known/jwks.json")
  }

  @Test(arguments: [
    "http://auth.example.com", "ftp://auth.example.com", "auth.example.com", "", "https://",
    "https://user@auth.example.com", "https://auth.example.com?a=b", "https://auth.example.com#a",
    "http://127.0.0.1.example.com", "http://localhost.example.com",
  ])
  func `a server's URL must use https, or http on this machine`(_ url: String) {
    #expect(throws: VerifierConfigurationFault.self) {
      try VerifierConfiguration(publicURL: url, projectID: "my-app")
    }
    #expect(throws: VerifierConfigurationFault.self) {
      try VerifierConfiguration(
        publicURL: "https://auth.example.com", projectID: "my-app", reachedAt: url)
    }
  }

  @Test(arguments: ["", "My-App", "my app", "my-app/../other", "ab"])
  func `a malformed project id is refused`(_ project: String) {
    #expect(throws: VerifierConfigurationFault.self) {
      try VerifierConfiguration(publicURL: "https://auth.example.com", projectID: project)
    }
  }

  @Test func `a development server must be on this machine`() {
    #expect(throws: VerifierConfigurationFault.self) {
      try VerifierConfiguration.development(serverURL: "https://auth.example.com")
    }
  }
}
