import GatehouseFederation
import GatehouseWire

/// What is read of a request to `/__/auth/handler`, up to what may be sent to a provider.
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
      // What is given back is what was checked.
      precondition(page.address.url.utf8.starts(with: page.address.origin.prefix(7).utf8))
    }
  }
}
