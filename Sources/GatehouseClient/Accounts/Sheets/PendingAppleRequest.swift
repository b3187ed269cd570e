/// A pending request to Apple's sheet, with its nonce.
///
/// ``AccountManager`` creates its own requests. Use this type for a sheet that other code shows,
/// such as SwiftUI's `SignInWithAppleButton`: give it ``request``, and sign in with the result of
/// ``answered(by:)``.
public struct PendingAppleRequest: Sendable {
  public let request: AppleAuthorizationRequest
  let nonce: Nonce

  public init() {
    nonce = Nonce()
    request = AppleAuthorizationRequest(nonce: nonce.sha256, state: Nonce().raw)
  }

  /// Creates the sign-in method from the sheet's result.
  ///
  /// - Throws: ``AccountError/answer(_:)``: ``AnswerFault/noPendingRequest`` for the response to
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
