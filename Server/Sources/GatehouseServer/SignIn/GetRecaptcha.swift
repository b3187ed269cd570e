import GatehouseProtocol

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

/// v2's `recaptchaConfig`: whether a client has to prove that it isn't a robot. On this server it
/// never has to.
struct RecaptchaConfigResponse: WireResponse {
  /// `projects/{project}/keys/{key}`: clients read the fourth part, and some fail without it.
  var recaptchaKey: String

  /// - Parameter projectID: The project, whose key is empty because there is none.
  init(projectID: String) { recaptchaKey = "projects/\(projectID)/keys/" }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("recaptchaKey", recaptchaKey)
    writer.array("recaptchaEnforcementState") { list in
      for provider in ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"] {
        list.object {
          $0.member("provider", provider)
          $0.member("enforcementState", "OFF")
        }
      }
    }
  }
}

/// `recaptchaParams`, and `getRecaptchaParam` of v3: without a site key, because there is none.
struct RecaptchaParamsResponse: WireResponse {
  /// Whether the response contains the emulator's placeholders for a key and a token: tests that
  /// were written for the emulator look for them.
  var isFake: Bool

  init(isFake: Bool) { self.isFake = isFake }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#GetRecaptchaParamResponse")
    guard isFake else { return }
    writer.member("recaptchaStoken", "There-is-no-reCAPTCHA-here__This-is-a-made-up-token")
    writer.member("recaptchaSiteKey", "There-is-no-reCAPTCHA-here__made-up-key")
  }
}
