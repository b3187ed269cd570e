import Foundation
import GatehouseProtocol

extension ProviderResource {
  /// What follows from a provider's configuration, its project and the project's users.
  struct Derived: Sendable {
    private var hasClientSecret = false
    private var audiences: [String] = []
    private var redirectURI: String?
    private var keySetURL: String?
    private var notificationURL: String?
    var notifications: ReceivedNotifications?
    /// See `Transaction.countIdentities(of:notFrom:limit:in:)`.
    var identitiesOfOtherIssuers = 0

    init() {}

    /// The URLs to register are known for a project whose issuer begins with the server's URL. That of a project of
    /// `--dev` doesn't: then only the path for notifications is.
    init(_ provider: ProviderConfiguration, of project: Project) {
      hasClientSecret = provider.clientSecret != nil
      audiences = provider.audiences
      let url = project.publicURL
      redirectURI = url.map { $0 + RedirectPath(of: provider.id, in: project.id).text }
      if provider.clientKey != nil {
        keySetURL = url.map { $0 + RedirectPath.keySet(of: provider.id, in: project.id) }
      }
      if let kind = IdentityProviders.kind(of: provider.id), kind.notifications != nil {
        notificationURL = (url ?? "") + "/v1/notifications/\(kind.name)/\(project.id)"
      }
    }

    func writeMembers(to writer: inout JSONWriter) {
      if hasClientSecret { writer.member("hasClientSecret", true) }
      if !audiences.isEmpty { writer.member("audiences", audiences) }
      writer.member("redirectUri", ifPresent: redirectURI)
      writer.member("keySetUrl", ifPresent: keySetURL)
      writer.member("notificationUrl", ifPresent: notificationURL)
      if let notifications {
        writer.object("notifications") {
          $0.member("count", notifications.count)
          $0.member("lastKind", notifications.lastKind)
          $0.member("lastTime", notifications.lastAt.formatted(.iso8601))
        }
      }
      if identitiesOfOtherIssuers > 0 {
        writer.member("identitiesOfOtherIssuers", identitiesOfOtherIssuers)
      }
    }
  }
}
