import GatehouseProtocol

/// `passkeys` of `projects/{p}/config`, an extension.
struct PasskeyConfig: WireRequest, WireResponse {
  private var isEnabled: Bool?
  private var relyingPartyID: String?
  private var relyingPartyName: String?
  private var origins: [String]?
  private var requiresUserVerification: Bool?
  private var enrollURL: String?
  private var manageURL: String?

  init() {}

  init(_ policy: PasskeyPolicy) {
    isEnabled = policy.isEnabled
    relyingPartyID = policy.relyingPartyID
    relyingPartyName = policy.relyingPartyName
    origins = policy.origins
    requiresUserVerification = policy.requiresUserVerification
    enrollURL = policy.enrollURL
    manageURL = policy.manageURL
  }

  init(_ fields: WireFields) throws(WireError) {
    isEnabled = try fields.bool("enabled")
    relyingPartyID = try fields.string("relyingPartyId")
    relyingPartyName = try fields.string("relyingPartyName")
    origins = fields.contains("origins") ? try fields.strings("origins") : nil
    requiresUserVerification = try fields.bool("requireUserVerification")
    enrollURL = try fields.string("enrollUrl")
    manageURL = try fields.string("manageUrl")
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("enabled", isEnabled ?? false)
    writer.member("relyingPartyId", relyingPartyID ?? "")
    writer.member("relyingPartyName", relyingPartyName ?? "")
    writer.member("origins", origins ?? [])
    writer.member("requireUserVerification", requiresUserVerification ?? false)
    writer.member("enrollUrl", enrollURL ?? "")
    writer.member("manageUrl", manageURL ?? "")
  }

  /// - Throws: ``APIError`` with `INVALID_CONFIG`.
  func apply(to policy: inout PasskeyPolicy, under mask: FieldMask) throws(APIError) {
    func covers(_ name: String, _ isPresent: Bool) -> Bool {
      mask.covers("passkeys.\(name)", presentInBody: isPresent)
    }
    if covers("enabled", isEnabled != nil) { policy.isEnabled = isEnabled ?? false }
    if covers("relyingPartyId", relyingPartyID != nil) {
      policy.relyingPartyID = relyingPartyID ?? ""
    }
    if covers("relyingPartyName", relyingPartyName != nil) {
      policy.relyingPartyName = relyingPartyName ?? ""
    }
    if covers("origins", origins != nil) { policy.origins = origins ?? [] }
    if covers("requireUserVerification", requiresUserVerification != nil) {
      policy.requiresUserVerification = requiresUserVerification ?? false
    }
    if covers("enrollUrl", enrollURL != nil) { policy.enrollURL = enrollURL ?? "" }
    if covers("manageUrl", manageURL != nil) { policy.manageURL = manageURL ?? "" }
    if let fault = policy.fault {
      throw .invalidConfiguration(.invalidConfig, "passkeys.\(fault).")
    }
  }
}
