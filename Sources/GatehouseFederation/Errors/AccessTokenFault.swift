/// Why an access token that its provider, Facebook or Google, was asked about signs nobody in.
package enum AccessTokenFault: Error, Hashable, Sendable {
  /// Facebook says that it isn't good.
  case refused(GraphComplaint)
  /// Google says so, and no more.
  case notGood
  /// Issued to another app: anybody who runs one could sign in here as its users.
  case otherApp
  /// Not a person's: an app's, a page's.
  case notOfPerson
  case expired
  /// The person hasn't used the app for so long that it may no longer ask who they are.
  case dataAccessExpired
  /// It isn't of a form that a header takes, or the answer about it lacks what is needed.
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
