import GatehouseProtocol

/// `/.well-known/apple-app-site-association`: the apps that open this host's links, and the apps to
/// which a browser sheet may return from this host (Apple, "Supporting associated domains").
///
/// `applinks` covers the URL at which a sign-in returns to the app, and emailed sign-in links. It
/// doesn't cover the handler: providers send the browser there, and if the app opened instead, the
/// sign-in would fail. `webcredentials` is required by `ASWebAuthenticationSession.Callback.https`,
/// and offers the host's passwords in the app.
struct AppleAppSiteAssociation: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    [.open(".well-known/apple-app-site-association", "appLinks.apple", answer)]
  }

  /// How long the document may be cached. Apple's and Google's servers fetch it about once a day.
  /// Seconds.
  static let cachedSeconds = 3600

  /// - Throws: ``APIError/notFound`` if no project has an app with a team id.
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
                $0.member("comment", "A sign-in in a browser returns to the app.")
              }
              components.object {
                $0.member("/", path + "action")
                $0.object("?") { $0.member("mode", "signIn") }
                $0.member("comment", "A link in an email signs in.")
              }
            }
          }
        }
      }
      document.object("webcredentials") { $0.member("apps", appIDs) }
    }
    // Without a charset: the type has to be application/json, and JSON is UTF-8 (RFC 8259 §8.1).
    var answer = Answer(json: writer.bytes, cachedSeconds: Self.cachedSeconds)
    answer.contentType = "application/json"
    return answer
  }
}
