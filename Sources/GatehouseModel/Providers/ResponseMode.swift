/// By which way an authorization endpoint's answer comes (OAuth 2.0 Multiple Response Types §2.1, Form
/// Post Response Mode). Raw values as the parameter has them.
public enum ResponseMode: String, Hashable, Sendable, CaseIterable {
  case query
  case formPost = "form_post"
  case fragment
}
