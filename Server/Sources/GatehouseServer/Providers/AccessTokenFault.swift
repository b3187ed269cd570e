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

  /// For the log: contains nothing of the token.
  var explanation: String {
    switch self {
    case .refused(let complaint):
      "the provider rejects it\(complaint.code.map { " with the code \($0)" } ?? "")"
    case .notGood: "the provider says that it is unknown, revoked or expired"
    case .otherApp: "it was issued to another app than that of the configured client id"
    case .notOfPerson: "it doesn't belong to a user, but to an app, a page or an installation"
    case .expired: "it has expired"
    case .dataAccessExpired:
      "the app's access to the user's data has expired: the user has to sign in there again"
    case .unreadable:
      "it has characters of no token, or the provider's response about it lacks a member"
    }
  }

  /// For the client that sent the token.
  var message: String {
    switch self {
    case .refused(let complaint): complaint.jsonText
    case .notGood: "it is unknown, revoked or expired."
    case .otherApp: "it was issued to another app."
    case .notOfPerson: "it doesn't belong to a user."
    case .expired: "it has expired."
    case .dataAccessExpired: "the app's access to the user's data has expired."
    case .unreadable: "it can't be read."
    }
  }
}
