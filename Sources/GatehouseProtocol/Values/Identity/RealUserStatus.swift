/// Whether the user seems to be a real person: Apple's `real_user_status`
/// (<https://developer.apple.com/documentation/signinwithapple/asuserdetectionstatus>).
///
/// No value leads to a refusal: the app decides what else to ask the user for.
public enum RealUserStatus: Int, Hashable, Sendable {
  /// The platform can't tell.
  case unsupported = 0
  case unknown = 1
  case likelyReal = 2
}
