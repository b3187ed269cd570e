import GatehouseProtocol

extension ProjectConfigResource {
  init(_ project: Project) {
    self.init(name: "projects/\(project.id.text)/config")
    allowDuplicateEmails = project.policies.allowsDuplicateEmails
    emailEnabled = project.policies.allowsPasswords
    passwordRequired = !project.policies.allowsEmailLinks
    anonymousEnabled = project.policies.allowsAnonymous
    phoneEnabled = project.policies.phone.isEnabled
    testPhoneNumbers = project.policies.phone.testNumbers
    enableImprovedEmailPrivacy = project.policies.protectsEmails
    disabledUserSignup = project.policies.refusesSignUp
    disabledUserDeletion = project.policies.refusesDeletion
    passwordPolicy = PasswordPolicyConfig(project.policies.passwordPolicy)
    authorizedDomains = project.authorizedDomains
    callbackURI = project.policies.callbackURI
    defaultLocale = project.policies.email.language
    nonce = project.policies.nonce.rawValue
    linkConsent = project.policies.linkConsent.rawValue
    redirectURLs = project.policies.redirectURLs
    tokenAlgorithm = project.policies.tokens.algorithm.rawValue
    mfa = MFAConfig(project.policies.secondFactors)
    passkeys = PasskeyConfig(project.policies.passkeys)
    blockingFunctions = BlockingFunctionsConfig(project.blockingFunctions)
    policies = try? PolicyDocument(project.policies).object
  }

  /// Hides the codes of the test numbers. A caller who knows a code can sign in to its number's account,
  /// so a viewer must not see it. A hidden code has no digits, so that a change refuses it.
  mutating func hideTestCodes() {
    testPhoneNumbers = testPhoneNumbers?.mapValues { _ in "******" }
    if case .object(var phone)? = policies?["phone"],
      case .object(let numbers)? = phone["testNumbers"]
    {
      phone["testNumbers"] = .object(
        JSONObject(numbers.members.map { .init(name: $0.name, value: .string("******")) }))
      policies?["phone"] = .object(phone)
    }
  }

  /// Applies the settings that the mask names; without a mask, those in the resource, and
  /// `allowDuplicateEmails` and `emailPrivacyConfig` even if it lacks them.
  ///
  /// - Parameter isDevelopment: Whether the project's own page may be on this machine.
  /// - Throws: ``APIError`` with `INVALID_CONFIG`, `INVALID_AUTHORIZED_DOMAIN`, `INVALID_PHONE_NUMBER` or
  ///   `INVALID_TESTING_PHONE_NUMBER` for a value that its field doesn't allow.
  func apply(
    to project: inout Project, under mask: FieldMask, isDevelopment: Bool
  ) throws(APIError) {
    func set(_ path: String, _ value: Bool?, _ policy: WritableKeyPath<ProjectPolicies, Bool>) {
      if mask.covers(path, presentInBody: value != nil) {
        project.policies[keyPath: policy] = value ?? false
      }
    }
    if mask.replaces("signIn.allowDuplicateEmails") {
      project.policies.allowsDuplicateEmails = allowDuplicateEmails ?? false
    }
    set("signIn.email.enabled", emailEnabled, \.allowsPasswords)
    set(
      "signIn.email.passwordRequired", passwordRequired.map { !$0 }, \.allowsEmailLinks)
    set("signIn.anonymous.enabled", anonymousEnabled, \.allowsAnonymous)
    set("signIn.phoneNumber.enabled", phoneEnabled, \.phone.isEnabled)
    if mask.covers(
      "signIn.phoneNumber.testPhoneNumbers", presentInBody: testPhoneNumbers != nil)
    {
      project.policies.phone.testNumbers = try Self.testNumbers(testPhoneNumbers ?? [:])
    }
    if mask.replaces("emailPrivacyConfig.enableImprovedEmailPrivacy") {
      // A body without it, sent by a program that knows nothing of it, must not reveal addresses.
      let standard = isDevelopment ? ProjectPolicies.development : ProjectPolicies()
      project.policies.protectsEmails =
        enableImprovedEmailPrivacy ?? (mask == .absent ? standard.protectsEmails : false)
    }
    set("client.permissions.disabledUserSignup", disabledUserSignup, \.refusesSignUp)
    set("client.permissions.disabledUserDeletion", disabledUserDeletion, \.refusesDeletion)
    try (passwordPolicy ?? PasswordPolicyConfig()).apply(
      to: &project.policies.passwordPolicy, under: mask)
    try (mfa ?? MFAConfig()).apply(to: &project.policies.secondFactors, under: mask)
    if mask.covers("authorizedDomains", presentInBody: authorizedDomains != nil) {
      project.authorizedDomains = try Self.domains(authorizedDomains ?? [])
    }
    if mask.covers("notification.sendEmail.callbackUri", presentInBody: callbackURI != nil) {
      project.policies.callbackURI = try Self.callback(callbackURI ?? "", isDevelopment)
    }
    if mask.covers("notification.defaultLocale", presentInBody: defaultLocale != nil) {
      project.policies.email.language = try Self.language(defaultLocale ?? "")
    }
    if mask.covers("nonce", presentInBody: nonce != nil) {
      project.policies.nonce = try Self.choice("nonce", nonce) ?? .client
    }
    if mask.covers("linkConsent", presentInBody: linkConsent != nil) {
      project.policies.linkConsent = try Self.choice("linkConsent", linkConsent) ?? .off
    }
    if mask.covers("redirectUrls", presentInBody: redirectURLs != nil) {
      project.policies.redirectURLs = try Self.addresses(redirectURLs ?? [])
    }
    if mask.covers("tokens.algorithm", presentInBody: tokenAlgorithm != nil) {
      project.policies.tokens.algorithm =
        try Self.choice("tokens.algorithm", tokenAlgorithm) ?? .rs256
    }
    try passkeys.apply(to: &project.policies.passkeys, under: mask)
    let offersPasskeys = project.policies.passkeys.isEnabled
    if let fault = project.policies.secondFactors.fault(offersPasskeys: offersPasskeys) {
      throw .invalidConfiguration(.invalidConfig, "mfa: \(fault).")
    }
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ text: String?
  ) throws(APIError) -> Choice? {
    guard let text else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidConfiguration(.invalidConfig, "\(name) is one of \(choices).")
    }
    return choice
  }

  /// The numbers in the form in which they are stored.
  private static func testNumbers(
    _ numbers: [String: String]
  ) throws(APIError) -> [String: String] {
    guard numbers.count <= PhonePolicy.maximumTestNumbers else {
      throw .invalidConfiguration(
        .invalidConfig, "testPhoneNumbers has at most \(PhonePolicy.maximumTestNumbers) numbers.")
    }
    var checked: [String: String] = [:]
    for (text, code) in numbers {
      guard let number = PhoneNumber(text) else {
        throw .invalidConfiguration(.invalidPhoneNumber, "Invalid format.")
      }
      guard VerificationCode(code) != nil else {
        throw .invalidConfiguration(
          .invalidTestingPhoneNumber, "A code has \(VerificationCode.digits) digits.")
      }
      guard checked.updateValue(code, forKey: number.text) == nil else {
        throw .invalidConfiguration(
          .invalidTestingPhoneNumber, "\(number.text) is named twice, in two spellings.")
      }
    }
    return checked
  }

  private static func callback(
    _ text: String, _ isDevelopment: Bool
  ) throws(APIError) -> String {
    let isGood = CallbackURI.isValid(text) && (CallbackURI.isSecure(text) || isDevelopment)
    guard text.isEmpty || isGood else {
      throw .invalidConfiguration(
        .invalidConfig,
        "callbackUri is an https URL of at most \(CallbackURI.maximumBytes) bytes, without user "
          + "information and fragment.")
    }
    return text
  }

  private static func language(_ tag: String) throws(APIError) -> String {
    guard EmailPolicy.isLanguage(tag) else {
      throw .invalidConfiguration(
        .invalidConfig, "defaultLocale is a language tag, such as de or pt-BR.")
    }
    return tag
  }

  private static func addresses(_ texts: [String]) throws(APIError) -> [String] {
    guard texts.count <= RedirectAddress.maximumCount, texts.allSatisfy(RedirectAddress.isValid)
    else {
      throw .invalidConfiguration(
        .invalidConfig,
        "redirectUrls holds at most \(RedirectAddress.maximumCount) addresses, of "
          + "https or of an app's own scheme.")
    }
    return texts
  }

  /// The domains without duplicates, in the given order.
  private static func domains(_ texts: [String]) throws(APIError) -> [String] {
    guard texts.count <= AuthorizedDomain.maximumCount else {
      throw .invalidConfiguration(
        .invalidConfig, "authorizedDomains has at most \(AuthorizedDomain.maximumCount) elements.")
    }
    var domains: [String] = []
    for text in texts {
      guard let domain = AuthorizedDomain.normalized(text) else {
        throw .invalidConfiguration(
          .invalidAuthorizedDomain,
          text.isEmpty
            ? "An authorized domain is empty." : "\(text) should only contain the valid domain.")
      }
      if !domains.containsBytes(of: domain) { domains.append(domain) }
    }
    return domains
  }
}
