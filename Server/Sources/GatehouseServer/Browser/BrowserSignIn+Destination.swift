extension BrowserSignIn {
  /// The app or page that requested the sign-in, and how it recognises its own request.
  package struct Destination: Hashable, Sendable {
    package let mode: Mode
    /// Checked against the addresses that the project allows. For an app: its address, to which the
    /// response is added as a query parameter. For a page: the address to which the browser
    /// returns, or the page's origin if the page stays open beside the sign-in.
    package let url: String
    /// Absent only if a page signs in by a redirect.
    package let eventID: String?
    /// The page, if a page requested the sign-in.
    package let page: Page?

    package init(mode: Mode, url: String, eventID: String?, page: Page? = nil) {
      self.mode = mode
      self.url = url
      self.eventID = eventID
      self.page = page
    }
  }

  /// A web page that contains an SDK. It gets the response by another way than a URL.
  package struct Page: Hashable, Sendable {
    /// `https://app.example.com`, as browsers write an origin (RFC 6454 §6.2).
    package let origin: String
    package let apiKey: String
    /// The page's name for its instance of the SDK, such as `[DEFAULT]`.
    package let appName: String

    package init(origin: String, apiKey: String, appName: String) {
      self.origin = origin
      self.apiKey = apiKey
      self.appName = appName
    }
  }

  /// The `authType` of the SDKs.
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// For an app: the response comes in the app's URL, and the app decides what to use it for.
    case signInWithRedirect
    /// For a page, in a window that it opens.
    case signInViaPopup, linkViaPopup, reauthViaPopup
    /// For a page that the browser leaves during the sign-in.
    case signInViaRedirect, linkViaRedirect, reauthViaRedirect

    package var isPopup: Bool {
      switch self {
      case .signInViaPopup, .linkViaPopup, .reauthViaPopup: true
      case .signInWithRedirect, .signInViaRedirect, .linkViaRedirect, .reauthViaRedirect: false
      }
    }

    package var purpose: Purpose? {
      switch self {
      case .signInWithRedirect: nil
      case .signInViaPopup, .signInViaRedirect: .signIn
      case .linkViaPopup, .linkViaRedirect: .link
      case .reauthViaPopup, .reauthViaRedirect: .reauthenticate
      }
    }
  }

  /// What the user agreed to. The response can be used for nothing else.
  package enum Purpose: Hashable, Sendable {
    case signIn, link, reauthenticate
  }

  /// Nil if the response may be used for any purpose.
  package var purpose: Purpose? { destination?.mode.purpose }
}
