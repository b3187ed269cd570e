import GatehouseModel
import GatehouseWire

/// v2's `GET recaptchaConfig` and v1's `GET recaptchaParams` (v3 `getRecaptchaParam`): clients ask
/// before some calls. This server has no reCAPTCHA, and the response says so.
struct GetRecaptcha: Endpoint {
  let configuration: APIConfiguration

  var routes: [Route] {
    [
      .client(.get, "v2/recaptchaConfig", "recaptchaConfig", config),
      .client(.get, "v1/recaptchaParams", "recaptchaParams", params),
      .client(.get, "relyingparty/getRecaptchaParam", "recaptchaParams", params),
    ]
  }

  func config(_ call: Call) throws -> Answer {
    Answer(RecaptchaConfigResponse(projectID: try call.requireProject().id.text))
  }

  func params(_ call: Call) throws -> Answer {
    _ = try call.requireProject()
    return Answer(RecaptchaParamsResponse(isFake: configuration.development != nil))
  }
}
