/// Why an access token of Facebook, Google or GitHub is rejected.
package enum AccessTokenFault: Error, Hashable, Sendable {
  /// Facebook says that the token isn't valid, or rejects a request with it.
  case refused(GraphComplaint)
  /// Google or GitHub says that the token isn't valid, without a reason.
  case notGood
  /// Issued to another app. If such tokens were accepted, the operator of any app could sign in
  /// here as each user of that app.
  case otherApp
  /// Not a token of a user, but of an app, a page, or a GitHub App's installation.
  case notOfPerson
  case expired
  /// The user hasn't used the app for so long that the app may no longer ask who the user is.
  case dataAccessExpired
  /// The token can't be put into a header, or the response about it has a missing or malformed
  /// member.
  case unreadable

  /// A stable name, for the log.
  var name: String {
    switch self {
    case .refused(let complaint): "refused \(complaint.code.map { "\($0)" } ?? "")"
    case .notGood: "notGood"
    case .otherApp: "otherApp"
    case .notOfPerson: "notOfPerson"
    case .expired: "expired"
    case .dataAccessExpired: "dataAccessExpired"
    case .unreadable: "unreadable"
    }
  }
}
