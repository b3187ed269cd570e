import GatehouseProtocol

/// `/.well-known/assetlinks.json`: the Android apps that open this host's links (Google, "Digital
/// Asset Links", and Android, "Verify Android App Links").
///
/// A statement applies to the whole host; the app's manifest says which paths the app opens.
/// `get_login_creds` offers the host's passwords and passkeys in the app.
struct DigitalAssetLinks: Endpoint {
  let services: APIServices

  var routes: [Route] {
    [.open(".well-known/assetlinks.json", "appLinks.android", answer)]
  }

  /// - Throws: ``APIError/notFound`` if no project has an Android app.
  func answer(_ call: Call) async throws -> Answer {
    let apps = try await services.projects.linkedApps().androidApps
    guard !apps.isEmpty else { throw APIError.notFound }
    var writer = JSONWriter()
    writer.array { statements in
      for app in apps {
        statements.object { statement in
          statement.member(
            "relation",
            [
              "delegate_permission/common.handle_all_urls",
              "delegate_permission/common.get_login_creds",
            ])
          statement.object("target") {
            $0.member("namespace", "android_app")
            $0.member("package_name", app.packageName)
            $0.member("sha256_cert_fingerprints", app.fingerprints)
          }
        }
      }
    }
    var answer = Answer(json: writer.bytes, cachedSeconds: AppleAppSiteAssociation.cachedSeconds)
    answer.contentType = "application/json"
    return answer
  }
}
