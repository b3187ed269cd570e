import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// v2's `GET recaptchaConfig` and v1's `GET recaptchaParams` (v3 `getRecaptchaParam`): clients ask
/// before some calls. This server has no reCAPTCHA, and the answer says so.
struct GetRecaptcha: Sendable {
  let configuration: APIConfiguration

  func config(_ call: Call) throws -> Answer {
    Answer(RecaptchaConfigResponse(projectID: try call.requireProject().id.text))
  }

  func params(_ call: Call) throws -> Answer {
    _ = try call.requireProject()
    return Answer(RecaptchaParamsResponse(isFake: configuration.development != nil))
  }
}
