/// `/.well-known/apple-developer-domain-association.txt`: the text that Apple gives an operator to
/// prove control of a host, unchanged.
struct AppleDomainVerification: Endpoint {
  let configuration: APIConfiguration

  var routes: [Route] {
    [.open(".well-known/apple-developer-domain-association.txt", "appLinks.verification", answer)]
  }

  /// - Throws: ``APIError/notFound`` if the operator configured no text.
  func answer(_ call: Call) throws -> Answer {
    guard let text = configuration.appleDomainAssociation else { throw APIError.notFound }
    var answer = Answer(json: Array(text.utf8))
    answer.contentType = "text/plain; charset=utf-8"
    return answer
  }
}
