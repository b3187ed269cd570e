/// What a page shows of a project: its name and its branding.
struct PageBrand: Sendable {
  private let name: String?
  private let branding: BrandingPolicy

  /// - Parameter project: Nil if the page doesn't know it.
  init(_ project: Project?) {
    name = project?.displayName
    branding = project?.policies.branding ?? BrandingPolicy()
  }

  func title(_ heading: String) -> String { name.map { "\(heading) – \($0)" } ?? heading }

  /// Above the heading.
  var header: HTML {
    let logo: HTML? =
      branding.logoURL.isEmpty
      ? nil : "<img class=\"logo\" src=\"\(branding.logoURL)\" alt=\"\">"
    guard name != nil || logo != nil else { return .nothing }
    return "<p class=\"app\">\(logo)\(name ?? "")</p>\n"
  }

  /// At the end of the page. The browser names the page to none of the linked ones, see `PageHeaders`.
  func footer(_ language: PageLanguage) -> HTML {
    let names = language.legalNames
    let links = [(names.terms, branding.termsURL), (names.privacy, branding.privacyURL)]
      .filter { !$0.1.isEmpty }.map { "<a href=\"\($0.1)\">\($0.0)</a>" as HTML }
    return links.isEmpty ? .nothing : "\n<p class=\"legal\">\(links)</p>"
  }

  /// After ``PageStyle``; nil if that suffices. The colours are of ``RGBColor``: nothing else of a project gets
  /// into a style.
  var style: String? {
    var style = ""
    if let accent = branding.accent {
      style += """
        :root{--accent:\(accent.button);--on-accent:\(accent.onButton);--link:\(accent.link)}
        @media(prefers-color-scheme:dark){:root{--accent:\(accent.darkButton);--on-accent:\(accent.onDarkButton);\
        --link:\(accent.darkButton)}}
        a:not(.go){color:var(--link)}:focus-visible{outline-color:var(--link)}

        """
      if accent.needsBorder { style += ".go{border:1px solid var(--edge)}\n" }
    }
    if !branding.logoURL.isEmpty {
      style += """
        .logo{display:block;height:2.5rem;max-width:100%;margin-bottom:.5rem;object-fit:contain;\
        object-position:left}

        """
    }
    if !branding.termsURL.isEmpty || !branding.privacyURL.isEmpty {
      style += """
        .legal{margin-top:1.5rem;font-size:.9375rem}
        .legal a{margin-right:1rem}

        """
    }
    return style.isEmpty ? nil : style
  }

  /// What the content security policy allows beyond the page itself: this style, and pictures of the logo's origin.
  var sources: (style: String, pictures: String) {
    (
      style.map { " " + PageStyle.hash(of: $0) } ?? "",
      branding.logoOrigin.map { "img-src \($0); " } ?? ""
    )
  }
}

extension PageLanguage {
  /// The names of the links to a project's documents.
  var legalNames: (terms: String, privacy: String) {
    switch self {
    case .english: ("Terms of service", "Privacy policy")
    case .german: ("Nutzungsbedingungen", "Datenschutz")
    case .vietnamese: ("Điều khoản dịch vụ", "Chính sách quyền riêng tư")
    }
  }
}
