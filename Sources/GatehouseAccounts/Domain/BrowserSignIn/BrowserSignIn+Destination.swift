extension BrowserSignIn {
  /// Who asked for the sign-in, and how they recognise what they asked for.
  package struct Destination: Hashable, Sendable {
    package let mode: Mode
    /// Checked against what the project allows. Of an app its address, to which the answer is added
    /// as a parameter of the query; of a page the address to which the browser returns, or its origin
    /// where the page stays open beside the sign-in.
    package let url: String
    /// Absent only where a page signs in by a redirect.
    package let eventID: String?
    /// The page, where it is one.
    package let page: Page?

    package init(mode: Mode, url: String, eventID: String?, page: Page? = nil) {
      self.mode = mode
      self.url = url
      self.eventID = eventID
      self.page = page
    }
  }

  /// A web page with an SDK in it: the answer is told to it and written into no URL.
  package struct Page: Hashable, Sendable {
    /// `https://app.example.com`, as browsers write an origin (RFC 6454 §6.2).
    package let origin: String
    package let apiKey: String
    /// What the page calls its instance of the SDK, such as `[DEFAULT]`.
    package let appName: String

    package init(origin: String, apiKey: String, appName: String) {
      self.origin = origin
      self.apiKey = apiKey
      self.appName = appName
    }
  }

  /// The `authType` of the SDKs.
  package enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Of an app: the answer comes by its own URL, and what it is for is the app's to say.
    case signInWithRedirect
    /// Of a page, in a window that it opens.
    case signInViaPopup, linkViaPopup, reauthViaPopup
    /// Of a page, which the browser leaves meanwhile.
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

  /// What the person was asked for, and all that the answer is good for.
  package enum Purpose: Hashable, Sendable {
    case signIn, link, reauthenticate
  }

  /// Nil where anything may be done with the answer.
  package var purpose: Purpose? { destination?.mode.purpose }
}
