/// The webhook that receives a project's codes: the operator's own program, which passes the codes to
/// a service for text messages. Requests are signed as Standard Webhooks describes
/// (https://www.standardwebhooks.com).
package struct CodeWebhook: Sendable {
  /// `https://…`, or `http` to this machine.
  package let url: String
  /// Encrypted at rest.
  package let secret: WebhookSecret

  package init(url: String, secret: WebhookSecret) {
    self.url = url
    self.secret = secret
  }
}
