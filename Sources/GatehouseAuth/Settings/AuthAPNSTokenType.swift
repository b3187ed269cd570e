/// The kind of an app's token for push notifications. Not used: the server sends no push
/// notifications.
public enum AuthAPNSTokenType: Int, Sendable {
  case unknown
  case sandbox
  case prod
}
