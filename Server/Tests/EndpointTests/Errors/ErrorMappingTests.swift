@testable import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import NIOCore
import Testing

@Suite struct ErrorMappingTests {
  private struct Unforeseen: Error {}

  private static let errors: [(any Error, Int, String)] = [
    (AccountsError.emailExists, 400, "EMAIL_EXISTS"),
    (
      AccountsError.tooManyAttempts, 400,
      "TOO_MANY_ATTEMPTS_TRY_LATER : Too many attempts. Try again later."
    ),
    (
      AccountsError.nonce(.expired), 400,
      "MISSING_OR_INVALID_NONCE : The nonce has expired. Request a new one."
    ),
    (
      FederationError.signature(reason: "no key"), 400,
      "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature."
    ),
    (
      FederationError.unparsable(reason: "tooLong"), 400,
      "INVALID_IDP_RESPONSE : Unable to parse the ID Token. It is longer than 16384 bytes."
    ),
    (
      FederationError.authorizedParty(received: "android-client", expected: "client-1"), 400,
      "INVALID_IDP_RESPONSE : The authorized party (azp) in ID Token android-client does not match "
        + "the expected client id client-1."
    ),
    (
      FederationError.untrustedAudience(received: ["a", "b"], expected: "a"), 400,
      "INVALID_IDP_RESPONSE : The audience in ID Token [a, b] does not match the expected audience "
        + "a. An audience beside ours has to be trusted in the configuration, unless the token's "
        + "azp is ours."
    ),
    (
      FederationError.unreachable(.noUsableKey(count: 0, refused: [])), 400,
      "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature. The provider publishes no key "
        + "that can verify it."
    ),
    (
      FederationError.unreachable(.malformed(.keys)), 400,
      "INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer."
    ),
    (
      FederationError.refusedByProvider(status: 200, error: nil), 400,
      "INVALID_IDP_RESPONSE : The provider's response can't be read."
    ),
    (
      FederationError.refusedByProvider(status: 503, error: nil), 400,
      "INVALID_IDP_RESPONSE : The provider refused the request: 503"
    ),
    (CustomClaimsError.forbidden("sub"), 400, "FORBIDDEN_CLAIM : sub"),
    (CustomTokenError.tenant, 400, "TENANT_ID_MISMATCH"),
    (AssertionRefusal.unknownIssuer, 400, "CREDENTIAL_MISMATCH"),
    (HashSchemeError.missing(.rounds), 400, "INVALID_HASH_ROUNDS"),
    (HashSchemeError.tooCostly, 400, "INVALID_HASH_PARAMETER"),
    (APIError.refused(.missingEmail), 400, "MISSING_EMAIL"),
    (APIError.invalidConfiguration(.invalidConfig, "No."), 400, "INVALID_CONFIG : No."),
    (APIError.notFound(.projectNotFound), 404, "PROJECT_NOT_FOUND"),
    (APIError.alreadyExists(.configurationExists, "Yes."), 409, "CONFIGURATION_EXISTS : Yes."),
    (APIError.permissionDenied("No."), 403, "No."),
    (APIError.missingAPIKey, 403, "The request is missing a valid API key."),
    (APIError.credentialRefused, 401, APIError.credentialRefused.message),
    (APIError.payloadTooLarge, 413, "Request payload size exceeds the limit."),
    (APIError.requestTimeout, 408, "The request took too long to arrive."),
    (NIOTooManyBytesError(maxBytes: 1), 413, "Request payload size exceeds the limit."),
    (ServiceAccountError.exists, 409, "The service account already exists."),
    (
      PublicKeyError(reason: .tooWeak), 400,
      "The key is too weak: RSA of at least 2048 bits is needed."
    ),
  ]

  private static let passing: [any Error] = [
    AccountsError.overloaded, AccountsError.messageNotDelivered,
    StoreError.closed, StoreError.unavailable("disk full"),
    StoreError.uncertain("connection lost"),
  ]

  private static let unforeseen: [any Error] = [
    StoreError.readOnly, StoreError.damaged("row 7"),
    StoreError.conflict(.other), Unforeseen(),
  ]

  private func mapped(
    _ error: any Error, _ envelope: Route.Envelope = .identityToolkit
  ) throws -> (status: Int, body: JSONValue) {
    let mapping = ErrorMapping(error, envelope: envelope)
    return (mapping.status.code, try JSONValue(parsing: mapping.body.json()))
  }

  @Test(arguments: errors) func `an error has its status and its message`(
    _ error: any Error, _ status: Int, _ message: String
  ) throws {
    let (actual, body) = try mapped(error)
    #expect(actual == status)
    #expect(body["error"]?["code"] == .number(JSONNumber(Int64(status))))
    #expect(body["error"]?["message"]?.string == message)
    #expect(ErrorMapping(error, envelope: .identityToolkit).isUnexpected == false)
  }

  @Test(arguments: [
    (StoreError.conflict(.email), "EMAIL_EXISTS"),
    (.conflict(.phoneNumber), "PHONE_NUMBER_EXISTS"),
    (.conflict(.uid), "DUPLICATE_LOCAL_ID"),
    (.conflict(.identity), "FEDERATED_USER_ID_ALREADY_LINKED"),
  ]) func `of two transactions that raced for a value, the second gets the rule's error`(
    _ error: StoreError, _ message: String
  ) throws {
    let (status, body) = try mapped(error)
    #expect(status == 400)
    #expect(body["error"]?["message"]?.string == message)
  }

  @Test(arguments: passing) func `a temporary error is 503, and says nothing about its cause`(
    _ error: any Error
  ) throws {
    let (status, body) = try mapped(error)
    #expect(status == 503)
    #expect(
      body == [
        "error": [
          "code": 503, "message": "The service is currently unavailable.", "status": "UNAVAILABLE",
        ]
      ])
  }

  @Test(arguments: unforeseen)
  func `an unexpected error is 500, is logged, and says nothing about itself`(_ error: any Error)
    throws
  {
    let (status, body) = try mapped(error)
    #expect(status == 500)
    #expect(
      body == [
        "error": ["code": 500, "message": "Internal error encountered.", "status": "INTERNAL"]
      ])
    #expect(ErrorMapping(error, envelope: .identityToolkit).isUnexpected)
  }

  @Test(arguments: [Route.Envelope.identityToolkit, .secureToken])
  func `apps get the message of a temporary error only in the list`(
    _ envelope: Route.Envelope
  ) throws {
    let temporary: [(any Error, Int, String, String)] = [
      (StoreError.closed, 503, "The service is currently unavailable.", "UNAVAILABLE"),
      (StoreError.readOnly, 500, "Internal error encountered.", "INTERNAL"),
      (APIError.requestTimeout, 408, "The request took too long to arrive.", "DEADLINE_EXCEEDED"),
    ]
    for (error, code, message, name) in temporary {
      let mapping = ErrorMapping(error, envelope: envelope).forApps
      #expect(mapping.status.code == code)
      #expect(
        try JSONValue(parsing: mapping.body.json()) == [
          "error": [
            "code": .number(JSONNumber(Int64(code))),
            "errors": [
              ["message": .string(message), "domain": "global", "reason": "backendError"]
            ],
            "status": .string(name),
          ]
        ])
    }
  }

  @Test func `apps get the message of a refusal as before`() throws {
    let mapping = ErrorMapping(AccountsError.tokenExpired, envelope: .identityToolkit)
    #expect(mapping.forApps.body.json() == mapping.body.json())
  }

  @Test func `Identity Toolkit lists a refusal, and Secure Token names its status`() throws {
    let error = APIError.refused(.missingRefreshToken)
    #expect(
      try mapped(error).body == [
        "error": [
          "code": 400, "message": "MISSING_REFRESH_TOKEN",
          "errors": [
            ["message": "MISSING_REFRESH_TOKEN", "domain": "global", "reason": "invalid"]
          ],
        ]
      ])
    #expect(
      try mapped(error, .secureToken).body == [
        "error": [
          "code": 400, "message": "MISSING_REFRESH_TOKEN", "status": "INVALID_ARGUMENT",
        ]
      ])
  }

  @Test func `a missing and a refused credential name the header`() throws {
    for (error, reason) in [
      (APIError.apiKeyNotEnough, "required"), (APIError.credentialRefused, "authError"),
    ] {
      let body = try mapped(error).body
      let listed = body["error"]?["errors"]?.array?.first
      #expect(body["error"]?["status"]?.string == "UNAUTHENTICATED")
      #expect(listed?["reason"]?.string == reason)
      #expect(listed?["location"]?.string == "Authorization")
      #expect(listed?["locationType"]?.string == "header")
    }
  }

  @Test func `missing consent says what would be joined`() throws {
    let (status, body) = try mapped(AccountsError.consentRequired([.email]))
    #expect(status == 400)
    #expect(
      body["error"]?["message"]?.string
        == "CONSENT_REQUIRED : The user has to consent before these are linked in one account: "
        + "email.")
    #expect(body["error"]?["consentRequired"]?["joins"] == ["email"])
  }

  @Test func `an assertion at the token endpoint is refused with OAuth's errors`() throws {
    let (status, body) = try mapped(AssertionRefusal.used, .secureToken)
    #expect(status == 400)
    #expect(
      body == [
        "error": "invalid_grant",
        "error_description":
          "The assertion was used before. An assertion with a jti can be used once.",
      ])
    #expect(ErrorMapping(AssertionRefusal.used, envelope: .secureToken).message == nil)
  }

  @Test func `an error keeps its code next to its message, and a sentence has none`() {
    #expect(APIError.refused(.operationNotAllowed, "No.").code == .operationNotAllowed)
    #expect(APIError.otherProject.code == .insufficientPermission)
    #expect(APIError.invalidAPIKey.code == nil)
  }
}
