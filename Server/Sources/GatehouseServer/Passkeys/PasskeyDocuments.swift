import Foundation
import GatehouseProtocol

/// Documents about the passkeys of this host, for browsers and password managers. A project whose relying party
/// is another domain publishes them there.
struct PasskeyDocuments: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      .open(".well-known/webauthn", "passkeys.origins", origins),
      .open(".well-known/passkey-endpoints", "passkeys.endpoints", endpoints),
    ]
  }

  /// The pages of other domains that may use this host's passkeys (WebAuthn §5.11, "Using Web Authentication
  /// across related origins"). The verification knows the origins of each project alone, so one project's
  /// list lets nobody sign in to another.
  ///
  /// - Throws: ``APIError/notFound`` if there are none.
  func origins(_ call: Call) async throws -> Answer {
    var origins: [String] = []
    for project in try await projects() {
      for origin in project.policies.passkeys.origins
      where origin.utf8.starts(with: "https:".utf8) && !origins.containsBytes(of: origin) {
        origins.append(origin)
      }
    }
    guard !origins.isEmpty else { throw APIError.notFound }
    return Self.answer { $0.member("origins", origins) }
  }

  /// Where a user adds and manages passkeys (W3C, "A Well-Known URL for Relying Party Passkey Endpoints").
  ///
  /// - Throws: ``APIError/notFound`` if no project, or more than one, says where.
  func endpoints(_ call: Call) async throws -> Answer {
    let policies = try await projects().map(\.policies.passkeys)
      .filter { !$0.enrollURL.isEmpty || !$0.manageURL.isEmpty }
    guard policies.count == 1, let policy = policies.first else { throw APIError.notFound }
    return Self.answer {
      if !policy.enrollURL.isEmpty { $0.member("enroll", policy.enrollURL) }
      if !policy.manageURL.isEmpty { $0.member("manage", policy.manageURL) }
    }
  }

  /// The projects whose relying party is this host.
  private func projects() async throws -> [Project] {
    guard let host = URL(string: configuration.publicURL)?.host() else { return [] }
    return try await services.projects.projects().filter { project in
      !project.id.isConsole
        && (try? project.relyingParty().id.hasSameBytes(as: host.asciiLowercased)) ?? false
    }
  }

  private static func answer(_ members: (inout JSONWriter) -> Void) -> Answer {
    var writer = JSONWriter()
    writer.object(members)
    var answer = Answer(json: writer.bytes, cachedSeconds: AppleAppSiteAssociation.cachedSeconds)
    // The type has to be application/json, without a charset.
    answer.contentType = "application/json"
    return answer
  }
}
