/// A request to Apple's sheet that waits for its answer, with the nonce that belongs to both.
///
/// ``AccountManager`` makes its own. This is for a sheet that somebody else shows, like SwiftUI's
/// `SignInWithAppleButton`: give it ``request``, and sign in with what ``answered(by:)`` returns.
public struct PendingAppleRequest: Sendable {
  public let request: AppleAuthorizationRequest
  let nonce: Nonce

  public init() {
    nonce = Nonce()
    request = AppleAuthorizationRequest(nonce: nonce.sha256, state: Nonce().raw)
  }

  /// - Throws: ``AccountError/answer(_:)``: ``AnswerFault/noPendingRequest`` for the answer to
  ///   another request, ``AnswerFault/noIdentityToken``, ``AnswerFault/identityTokenNotUTF8``.
  public func answered(by authorization: AppleAuthorization) throws(AccountError) -> SignInMethod {
    .credential(try answer(authorization).credential())
  }

  func answer(_ authorization: AppleAuthorization) throws(AccountError) -> AppleSheetAnswer {
    guard let asked = request.state, let answered = authorization.state,
      asked.utf8.elementsEqual(answered.utf8)
    else { throw .answer(.noPendingRequest) }
    return AppleSheetAnswer(authorization: authorization, nonce: nonce)
  }
}
