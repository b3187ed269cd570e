/// Apple's estimate whether the user is a real person. Apple's sheet returns it only at a user's first
/// sign-in with the app.
///
/// The numbers are those of `ASUserDetectionStatus` and of the ID token's `real_user_status`.
public enum RealUserStatus: Int, Sendable, Hashable {
  /// The platform can't tell.
  case unsupported = 0
  case unknown = 1
  case likelyReal = 2
}
