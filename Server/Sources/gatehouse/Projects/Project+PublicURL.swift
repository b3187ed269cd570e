import GatehouseServer

extension Project {
  /// The URL at which clients reach the server: in production the issuer begins with it. Nil for a
  /// project of `--dev`, whose issuer is Firebase's and doesn't contain the server's URL.
  var publicURL: String? {
    let place = "/\(id)"
    guard issuer.hasSuffix(place), issuer.utf8.count > place.utf8.count,
      !issuer.utf8.elementsEqual(Self.firebaseIssuer(of: id).utf8)
    else { return nil }
    return String(issuer.dropLast(place.count))
  }
}
