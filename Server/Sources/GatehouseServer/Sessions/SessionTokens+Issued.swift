import GatehouseProtocol

extension SessionTokens {
  init(_ tokens: IssuedTokens) {
    self.init(
      idToken: tokens.idToken, refreshToken: tokens.refreshToken,
      expiresInSeconds: tokens.expiresInSeconds)
  }
}
