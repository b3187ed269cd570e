import GatehouseProtocol

/// `accounts:createAuthUri`: the sign-in methods of an email address.
struct CreateAuthURICall: ServerCall {
  var email: String

  var path: String { "v1/accounts:createAuthUri" }
  var isRepeatable: Bool { true }

  var request: CreateAuthURIRequest {
    CreateAuthURIRequest(identifier: email, continueURI: "http://localhost")
  }

  func answer(_ response: CreateAuthURIResponse) throws(WireError) -> [String] {
    response.registration?.signInMethods ?? []
  }
}
