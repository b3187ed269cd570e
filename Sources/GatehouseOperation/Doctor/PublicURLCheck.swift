package import GatehouseAccounts
package import GatehouseFederation
import GatehouseJSON
import GatehouseModel

/// Whether the public URL leads to this server: verifiers everywhere look there for our keys.
package struct PublicURLCheck: Sendable {
  private let transport: any OutboundTransport
  private let publicURL: String

  package init(_ publicURL: String, transport: any OutboundTransport) {
    self.publicURL = publicURL
    self.transport = transport
  }

  /// Fetches a project's discovery document and key set through the public URL.
  ///
  /// - Parameter keyID: Of the key that signs ID tokens, by which we know ourselves.
  package func findings(for project: Project, keyID: String?) async -> [Finding] {
    let check = "public URL of \(project.id)"
    guard project.issuer.hasSameBytes(as: "\(publicURL)/\(project.id)") else {
      return [
        Finding(
          check,
          .failed(
            remedy: "Serve with the public URL that the project was made with: its tokens' issuer "
              + "can't change."),
          "the issuer is \(project.issuer), which doesn't begin with \(publicURL)")
      ]
    }
    do throws(OutboundError) {
      let discovery = try await get("\(project.issuer)/.well-known/openid-configuration")
      guard let document = try? JSONObject(parsing: discovery.body),
        document["issuer"]?.string?.hasSameBytes(as: project.issuer) == true,
        let keySet = document["jwks_uri"]?.string
      else {
        return [stranger(check, "discovery answered \(discovery.status) and not as this server")]
      }
      let keys = try await get(keySet)
      let known = (try? JSONObject(parsing: keys.body))?["keys"]?.array ?? []
      let isOurs = known.contains { key in
        guard let keyID, let id = key["kid"]?.string else { return false }
        return id.hasSameBytes(as: keyID)
      }
      guard isOurs else {
        return [stranger(check, "the keys there are not this database's")]
      }
      return [Finding(check, .ok, "answers as this server")]
    } catch {
      return [
        Finding(
          check,
          .failed(
            remedy:
              "Is the server running, and does the proxy's name, port and certificate lead to "
              + "it? Try: curl -v \(publicURL)/livez"),
          error.description)
      ]
    }
  }

  private func stranger(_ check: String, _ detail: String) -> Finding {
    Finding(
      check,
      .failed(
        remedy: "Another server answers at \(publicURL): let the proxy pass every path on to this "
          + "one, unchanged."), detail)
  }

  private func get(_ url: String) async throws(OutboundError) -> OutboundResponse {
    guard let url = OutboundURL(url) else { throw .malformedURL }
    return try await transport.send(OutboundRequest(url))
  }
}
