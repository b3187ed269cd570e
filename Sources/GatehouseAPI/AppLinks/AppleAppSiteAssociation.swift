import GatehouseAccounts
import GatehouseJSON

/// `/.well-known/apple-app-site-association`: which apps this host's links open, and whose sheets may
/// call back to it (Apple, "Supporting associated domains").
///
/// `applinks` for where a sign-in comes back to the app, and for a link by mail that signs in. The
/// handler isn't among them: providers send the browser there, and an app that opened instead would
/// end the sign-in. `webcredentials` is what `ASWebAuthenticationSession.Callback.https` goes by, and
/// offers the host's passwords in the app.
struct AppleAppSiteAssociation: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [.open(".well-known/apple-app-site-association", "appLinks.apple", answer)]
  }

  /// Apple's servers and Google's ask once a day or less. Seconds.
  static let cachedSeconds = 3600

  /// - Throws: ``APIError/notFound`` if no project has an app with a team.
  func answer(_ call: Call) async throws -> Answer {
    let appIDs = try await services.projects.linkedApps().appleAppIDs
    guard !appIDs.isEmpty else { throw APIError.notFound }
    let path = configuration.pathPrefix + "/__/auth/"
    var writer = JSONWriter()
    writer.object { document in
      document.object("applinks") { links in
        links.array("details") { details in
          details.object { detail in
            detail.member("appIDs", appIDs)
            detail.array("components") { components in
              components.object {
                $0.member("/", path + "callback")
                $0.member("comment", "A sign-in in a browser comes back.")
              }
              components.object {
                $0.member("/", path + "action")
                $0.object("?") { $0.member("mode", "signIn") }
                $0.member("comment", "A link by mail signs in.")
              }
            }
          }
        }
      }
      document.object("webcredentials") { $0.member("apps", appIDs) }
    }
    // No charset: the type is to be application/json, and JSON is UTF-8 (RFC 8259 §8.1).
    var answer = Answer(json: writer.bytes, cachedSeconds: Self.cachedSeconds)
    answer.contentType = "application/json"
    return answer
  }
}
