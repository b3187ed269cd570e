public import Foundation

public final class GIDToken: NSObject, Sendable {
  public let tokenString: String
  public let expirationDate: Date?

  init(tokenString: String, expirationDate: Date?) {
    self.tokenString = tokenString
    self.expirationDate = expirationDate
  }
}

public final class GIDConfiguration: NSObject, Sendable {
  public let clientID: String
  public let serverClientID: String?
  public let hostedDomain: String?
  public let openIDRealm: String?

  public convenience init(clientID: String) { self.init(clientID: clientID, serverClientID: nil) }

  public convenience init(clientID: String, serverClientID: String?) {
    self.init(
      clientID: clientID, serverClientID: serverClientID, hostedDomain: nil, openIDRealm: nil)
  }

  public init(
    clientID: String, serverClientID: String?, hostedDomain: String?, openIDRealm: String?
  ) {
    self.clientID = clientID
    self.serverClientID = serverClientID
    self.hostedDomain = hostedDomain
    self.openIDRealm = openIDRealm
  }
}

public final class GIDProfileData: NSObject, Sendable {
  public let email: String
  public let name: String
  public let givenName: String?
  public let familyName: String?
  public var hasImage: Bool { picture != nil }
  private let picture: URL?

  public func imageURL(withDimension dimension: UInt) -> URL? { picture }

  init(_ claims: IDTokenClaims) {
    email = claims.email ?? ""
    name = claims.name ?? ""
    givenName = claims.given_name
    familyName = claims.family_name
    picture = claims.picture.flatMap(URL.init(string:))
  }
}

/// The claims that the SDK reads in Google's ID token. Nothing is verified.
struct IDTokenClaims: Decodable {
  var sub: String
  var exp: TimeInterval
  var email: String?
  var name: String?
  var given_name: String?
  var family_name: String?
  var picture: String?

  init?(_ token: String) {
    let parts = token.split(separator: ".")
    guard parts.count == 3 else { return nil }
    var text = parts[1].replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let data = Data(base64Encoded: text),
      let claims = try? JSONDecoder().decode(IDTokenClaims.self, from: data)
    else { return nil }
    self = claims
  }
}
