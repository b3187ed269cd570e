import GatehouseFederation
import GatehouseWire

/// Parses a request to `/__/auth/handler`, up to the parameters that may be sent to a provider.
package enum HandlerFuzz {
  package static func read(_ bytes: [UInt8]) {
    let query = FormFields(bytes: bytes)
    guard let request = try? HandlerRequest(query) else { return }
    _ = request.sessionDigest
    _ = try? AuthorizationParameters.check(request.parameters, allowsAny: true)
    _ = AuthorizationParameters.areScopes(request.scopes)
    switch request.requester {
    case .app(let app): _ = app.redirectURL.flatMap(OutboundURL.init)
    case .page(let page):
      // The returned address is the one that was checked.
      precondition(page.address.url.utf8.starts(with: page.address.origin.prefix(7).utf8))
    }
  }
}
