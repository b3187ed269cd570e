/// What kind of token for push notifications an app has. Kept, not used: nothing is pushed.
public enum AuthAPNSTokenType: Int, Sendable {
  case unknown
  case sandbox
  case prod
}
