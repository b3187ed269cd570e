import Crypto
public import Foundation
import GatehouseProtocol

extension AuthClient {
  /// The URL with which a sign-in in a browser begins. Its result becomes the
  /// ``IdentityProviderCredential/redirect`` of a credential. Sends no request.
  ///
  /// The session id stays in the app: the server gets its SHA-256 now, and requires the session id
  /// itself when the sign-in ends.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` for a custom parameter that only the server
  ///   sets, for an empty session id or redirect URL, and for an invalid host.
  public func handlerURL(_ request: BrowserSignInRequest) throws(ClientError) -> URL {
    if let name = request.customParameters.keys.first(where: ReservedParameters.contains) {
      throw .invalidArgument(detail: "The parameter \(name) is set by the server.")
    }
    guard !request.sessionID.isEmpty, !request.redirectURL.isEmpty else {
      throw .invalidArgument(detail: "A browser sign-in needs a session id and a redirect URL.")
    }
    let configuration = configuration
    let digest = SHA256.hash(data: Array(request.sessionID.utf8))
    let query = PercentEncoding.form([
      ("apiKey", configuration.apiKey),
      ("authType", "signInWithRedirect"),
      ("ibi", configuration.bundleID),
      ("sessionId", Hexadecimal.text(digest)),
      ("v", ClientVersion.text),
      ("eventId", request.eventID),
      ("providerId", request.provider.rawValue),
      ("clientId", configuration.clientID),
      ("appId", configuration.clientID == nil ? configuration.googleAppID : nil),
      ("scopes", request.scopes.isEmpty ? nil : request.scopes.joined(separator: ",")),
      ("customParameters", Self.json(request.customParameters)),
      ("hl", languageCode),
      ("redirectUrl", request.redirectURL),
    ])
    let path = configuration.usesEmulator ? "emulator/auth/handler" : "__/auth/handler"
    let host = configuration.usesEmulator ? nil : request.handlerHost
    let site = host.map { "https://\($0)" } ?? configuration.serverText
    guard let url = URL(string: "\(site)/\(path)?\(query)"),
      host.map({ !$0.isEmpty && url.host == $0 }) ?? true
    else { throw .invalidArgument(detail: "The server's URL can't be used.") }
    return url
  }

  /// The domains that the project authorizes.
  @concurrent package func authorizedDomains() async throws(ClientError) -> [String] {
    do {
      return try await core.api.send(ProjectCall())
    } catch {
      throw ClientError(error)
    }
  }

  private static func json(_ parameters: [String: String]) -> String? {
    guard !parameters.isEmpty else { return nil }
    var writer = JSONWriter()
    writer.object { object in
      for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { object.member(name, value) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
