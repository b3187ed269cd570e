import HTTPTypes
import Hummingbird
import Logging

/// The log entry of a refused request. Failed sign-ins, refused administrators and exhausted
/// resources are at `info` or above, so that an operator sees them without changing a setting.
/// Other entries are at `debug`, because clients' own mistakes are frequent.
///
/// The entry of a sign-in or an administrator has the error's code, for a provider's token the reason,
/// and the client's address only in the form that the operator chose.
struct RefusalLog: Sendable {
  let addresses: ClientAddressForm
  let proxies: TrustedProxies

  func write(
    _ error: any Error, as mapped: ErrorMapping, of context: APIRequestContext,
    _ headers: HTTPFields
  ) {
    let (route, status) = (context.target.route, mapped.status)
    if status.kind == .serverError {
      return context.logger.warning(
        "Rejected: a resource is exhausted or unavailable", metadata: ["error": "\(error)"])
    }
    var metadata: Logger.Metadata = [
      "route": "\(route?.name ?? "unknown")", "status": "\(status.code)",
    ]
    // What follows the code may quote the request.
    metadata["code"] = mapped.message?.split(separator: " :").first.map { "\($0)" }
    metadata["client"] = addresses.text(of: proxies.address(of: context.peer, headers)).map {
      "\($0)"
    }
    // It contains nothing of the token. What the operator must act on has an entry of its own.
    if let error = error as? FederationError, !error.isOperatorsConcern {
      metadata["reason"] = "\(error)"
    }
    if context.target.path.isAdministrative, status == .unauthorized || status == .forbidden {
      context.logger.notice("An administrator was rejected", metadata: metadata)
    } else if route?.isSignIn == true {
      context.logger.info("A sign-in was rejected", metadata: metadata)
    }
    context.logger.debug("Rejected", metadata: ["error": "\(error)"])
  }
}
