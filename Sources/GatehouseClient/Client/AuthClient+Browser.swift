import Crypto
public import Foundation
import GatehouseJSON
import GatehouseModel

extension AuthClient {
  /// Parameters that the server sets itself. Who could choose them could have the answer sent
  /// elsewhere, or take the binding out of it.
  static let reservedParameters: Set<String> = [
    "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce",
    "code_challenge", "code_challenge_method",
  ]

  /// Begins a sign-in in a browser, for ``IdentityProviderCredential/redirect``. Makes no request.
  ///
  /// The session id stays here: the server is given its SHA-256, and wants it when the sign-in ends.
  ///
  /// - Throws: ``ClientError/invalidArgument(detail:)`` for a custom parameter that is the server's
  ///   to set, and an empty session id or redirect URL.
  public func handlerURL(_ request: BrowserSignInRequest) throws(ClientError) -> URL {
    if let name = request.customParameters.keys.first(where: {
      Self.reservedParameters.contains($0.lowercased())
    }) {
      throw .invalidArgument(detail: "The parameter \(name) is set by the server.")
    }
    guard !request.sessionID.isEmpty, !request.redirectURL.isEmpty else {
      throw .invalidArgument(detail: "A sign-in in a browser needs a session id and a way back.")
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
    guard let url = URL(string: "\(configuration.serverText)/\(path)?\(query)") else {
      throw .invalidArgument(detail: "The server's URL can't be used.")
    }
    return url
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
