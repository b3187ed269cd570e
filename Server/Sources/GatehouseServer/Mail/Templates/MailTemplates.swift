/// The templates of one project: its own, and those that come with the server.
package struct MailTemplates: Sendable {
  /// The languages in which the server has every kind of mail.
  package static let builtInLanguages = BuiltInLanguage.all.map(\.tag)

  private let english: Texts
  private let others: [MailLanguage: Texts]
  private var own: [MailKind: [MailLanguage: MailTemplate]]
  private var branding = BrandingPolicy()

  /// - Parameter own: Templates that replace the server's of the same kind and language, or add a
  ///   language.
  /// - Throws: ``MailTemplateFault`` if one of the server's templates is faulty. Tests create all of them.
  package init(
    own: [MailKind: [MailLanguage: MailTemplate]] = [:]
  ) throws(MailTemplateFault) {
    self.own = own
    english = try Texts(.english)
    var others: [MailLanguage: Texts] = [:]
    for language in [BuiltInLanguage.german, .vietnamese] {
      others[language.tag] = try Texts(language)
    }
    self.others = others
  }

  /// The server's templates with those of another project, and with its branding.
  package func with(
    _ own: [MailKind: [MailLanguage: MailTemplate]], branding: BrandingPolicy
  ) -> MailTemplates {
    var templates = self
    templates.own = own
    templates.branding = branding
    return templates
  }

  /// The template for a reader.
  ///
  /// The language decides first: a reader gets the server's text in their language rather than the
  /// project's in another.
  ///
  /// - Parameter languages: Tags in the order of preference: the one that the request asks for, the
  ///   account's, the project's. At most ten are used. Malformed tags are left out. Each tag is also
  ///   tried without its last subtags. If no tag matches, the language is English.
  package func template(
    for kind: MailKind, languages: [String]
  ) -> (template: MailTemplate, language: MailLanguage) {
    let wanted = languages.prefix(10).compactMap { MailLanguage($0) }.flatMap(\.lookup)
    for language in wanted + [.english] {
      if let template = own[kind]?[language] { return (template, language) }
      if let template = builtIn(kind, language) { return (template, language) }
    }
    return (english[kind], .english)
  }

  private func builtIn(_ kind: MailKind, _ language: MailLanguage) -> MailTemplate? {
    guard let texts = language == .english ? english : others[language] else { return nil }
    guard !branding.isEmpty,
      let language = BuiltInLanguage.all.first(where: { $0.tag == language })
    else { return texts[kind] }
    // Not reached: the layout adds only tags that every kind allows. An email without branding is better
    // than none.
    return (try? Texts.template(kind, language, branding)) ?? texts[kind]
  }
}

/// Every kind in one language, so that none can be missing.
private struct Texts: Sendable {
  private let verifyEmail, resetPassword, signIn, verifyAndChangeEmail: MailTemplate
  private let recoverEmail, passwordChanged, providerLinked: MailTemplate
  private let secondFactorAdded, secondFactorRemoved: MailTemplate
  private let recoveryCodesCreated, recoveryCodeUsed: MailTemplate
  private let passkeyAdded, passkeyRemoved: MailTemplate
  private let deletionScheduled, accountDeleted: MailTemplate

  init(_ language: BuiltInLanguage) throws(MailTemplateFault) {
    func template(_ kind: MailKind) throws(MailTemplateFault) -> MailTemplate {
      try Self.template(kind, language, BrandingPolicy())
    }
    verifyEmail = try template(.verifyEmail)
    resetPassword = try template(.resetPassword)
    signIn = try template(.signIn)
    verifyAndChangeEmail = try template(.verifyAndChangeEmail)
    recoverEmail = try template(.recoverEmail)
    passwordChanged = try template(.passwordChanged)
    providerLinked = try template(.providerLinked)
    secondFactorAdded = try template(.secondFactorAdded)
    secondFactorRemoved = try template(.secondFactorRemoved)
    recoveryCodesCreated = try template(.recoveryCodesCreated)
    recoveryCodeUsed = try template(.recoveryCodeUsed)
    passkeyAdded = try template(.passkeyAdded)
    passkeyRemoved = try template(.passkeyRemoved)
    deletionScheduled = try template(.deletionScheduled)
    accountDeleted = try template(.accountDeleted)
  }

  static func template(
    _ kind: MailKind, _ language: BuiltInLanguage, _ branding: BrandingPolicy
  ) throws(MailTemplateFault) -> MailTemplate {
    let layout = MailLayout(language: language, text: language.text(kind), branding: branding)
    return try MailTemplate(
      subject: layout.text.subject, text: layout.plain, html: layout.html, for: kind)
  }

  subscript(kind: MailKind) -> MailTemplate {
    switch kind {
    case .verifyEmail: verifyEmail
    case .resetPassword: resetPassword
    case .signIn: signIn
    case .verifyAndChangeEmail: verifyAndChangeEmail
    case .recoverEmail: recoverEmail
    case .passwordChanged: passwordChanged
    case .providerLinked: providerLinked
    case .secondFactorAdded: secondFactorAdded
    case .secondFactorRemoved: secondFactorRemoved
    case .recoveryCodesCreated: recoveryCodesCreated
    case .recoveryCodeUsed: recoveryCodeUsed
    case .passkeyAdded: passkeyAdded
    case .passkeyRemoved: passkeyRemoved
    case .deletionScheduled: deletionScheduled
    case .accountDeleted: accountDeleted
    }
  }
}
