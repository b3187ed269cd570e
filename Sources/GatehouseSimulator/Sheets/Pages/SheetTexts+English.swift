extension SheetTexts {
  static let english = SheetTexts(
    note: { "Simulator, for tests. This isn’t \($0), and nobody’s real account." },
    chooseTitle: { "Choose a person at \($0)" },
    toGoOn: { "to go on to \($0)" },
    usedLast: "used last",
    another: "Use another person",
    anotherTitle: "Another person",
    anotherBody: "Made on the spot. An address that somebody has already signs them in.",
    firstName: "First name",
    lastName: "Last name",
    email: "Email",
    emailRefused: "Enter an address such as carol@example.com, and names of at most 256 bytes.",
    full: "There are too many persons. Delete some first.",
    consentTitle: { client, provider in "Sign in to \(client) with \(provider)" },
    signedInAs: "Signed in as",
    otherAccount: "Choose another person",
    nameLegend: "Name",
    nameBody: "The app gets it this once, as it is written here.",
    emailLegend: "Email address",
    share: "Share my email",
    hide: "Hide my email",
    hideBody: { "The app gets \($0) in its place." },
    againBody: { "You have used \($0) before. It gets nothing new." },
    clientGets: { "\($0) will be able to" },
    scope: {
      switch $0 {
      case .openid: "know who you are"
      case .email: "see your email address"
      case .profile, .publicProfile, .name: "see your name and picture"
      case .offlineAccess: "use this access while you are away"
      }
    },
    untickBody: "What you untick stays with you.",
    goOn: "Continue",
    cancel: "Cancel",
    back: "Back",
    endedTitle: "This page is over",
    endedBody: "It was answered already, or is too old. Go back to the app and begin again.")
}
