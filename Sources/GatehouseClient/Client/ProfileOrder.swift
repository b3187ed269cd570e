/// Decides which response to a look-up of the profile is newer than the held profile.
///
/// Responses can arrive in another order than the requests were sent. A look-up that was sent before a
/// change of the account, and answered after it, may show the account as it was before the change.
struct ProfileOrder: Sendable {
  enum Verdict: Sendable {
    /// The profile in the response is the newest.
    case newest
    /// The profile of a later look-up is held.
    case superseded
    /// The account changed after the look-up was sent, so the response may lack the change.
    case outdated
  }

  /// The number of the last look-up or change.
  private var last: UInt64 = 0
  private var lastChange: UInt64 = 0
  /// The look-up whose profile was held last.
  private var heldLookUp: UInt64 = 0

  /// - Returns: The number of a look-up that is sent now.
  mutating func beginLookUp() -> UInt64 {
    last += 1
    return last
  }

  /// Call it when a change of the account is held.
  mutating func noteChange() {
    last += 1
    lastChange = last
  }

  /// Call it when the response to a look-up has arrived. After `newest`, its profile has to be held.
  mutating func verdict(on lookUp: UInt64) -> Verdict {
    if lookUp <= heldLookUp { return .superseded }
    if lookUp < lastChange { return .outdated }
    heldLookUp = lookUp
    return .newest
  }
}
