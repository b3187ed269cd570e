import GatehouseProtocol

/// How an authorization endpoint returns its response (OAuth 2.0 Multiple Response Types §2.1, Form
/// Post Response Mode). The raw values are those of the parameter `response_mode`.
package enum ResponseMode: String, Hashable, Sendable, CaseIterable {
  case query
  case formPost = "form_post"
  case fragment
}
