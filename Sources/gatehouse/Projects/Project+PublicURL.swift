import GatehouseAccounts

extension Project {
  /// Where clients reach the server: what the issuer begins with in production. Nil for a project of
  /// `--dev`, whose issuer is Firebase's and says nothing of where it is.
  var publicURL: String? {
    let place = "/\(id)"
    guard issuer.hasSuffix(place), issuer.utf8.count > place.utf8.count,
      !issuer.utf8.elementsEqual(Self.firebaseIssuer(of: id).utf8)
    else { return nil }
    return String(issuer.dropLast(place.count))
  }
}
