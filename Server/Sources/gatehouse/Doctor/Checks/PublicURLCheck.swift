import GatehouseServer
import GatehouseProtocol

/// Checks that the public URL leads to this server: verifiers everywhere fetch its keys there.
struct PublicURLCheck: Sendable {
  private let transport: any OutboundTransport
  private let publicURL: String

  init(_ publicURL: String, transport: any OutboundTransport) {
    self.publicURL = publicURL
    self.transport = transport
  }

  /// Fetches a project's discovery document and key set through the public URL.
  ///
  /// - Parameter keyID: The id of the key that signs ID tokens. It identifies this server.
  func findings(for project: Project, keyID: String?) async -> [Finding] {
    let check = "public URL of \(project.id)"
    guard project.issuer.hasSameBytes(as: "\(publicURL)/\(project.id)") else {
      return [
        Finding(
          check,
          .failed(
            remedy: "Use the public URL that the project was created with: its tokens' issuer "
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
        return [stranger(check, "discovery (status \(discovery.status)) is not this server's")]
      }
      let keys = try await get(keySet)
      let known = (try? JSONObject(parsing: keys.body))?["keys"]?.array ?? []
      let isOurs = known.contains { key in
        guard let keyID, let id = key["kid"]?.string else { return false }
        return id.hasSameBytes(as: keyID)
      }
      guard isOurs else {
        return [stranger(check, "the key set there lacks this database's signing key")]
      }
      return [Finding(check, .ok, "leads to this server")]
    } catch {
      return [
        Finding(
          check,
          .failed(
            remedy:
              "Does the server run, and do the proxy's host name, port and certificate lead to "
              + "it? Try: curl -v \(publicURL)/livez"),
          error.description)
      ]
    }
  }

  private func stranger(_ check: String, _ detail: String) -> Finding {
    Finding(
      check,
      .failed(
        remedy: "Another server is at \(publicURL): let the proxy forward every path to this "
          + "one, unchanged."), detail)
  }

  private func get(_ url: String) async throws(OutboundError) -> OutboundResponse {
    guard let url = OutboundURL(url) else { throw .malformedURL }
    return try await transport.send(OutboundRequest(url))
  }
}
