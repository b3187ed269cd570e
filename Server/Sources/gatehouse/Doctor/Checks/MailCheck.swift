import GatehouseServer

/// Says how emails are sent. Only an email shows whether they arrive: `gatehouse mail test`.
enum MailCheck {
  static func finding(_ settings: MailSettings?) -> Finding {
    guard let settings else {
      return Finding(
        "mail", .ok,
        "neither a mail server nor a webhook is set: clients that ask for an email are refused")
    }
    let route = "\(settings.place), from \(settings.from.address)"
    guard settings.isKnownToAppleRelay else {
      return Finding(
        "mail",
        .warning(
          remedy: "Register \(settings.from.address) with Apple, then set "
            + "\(Settings.mailAppleRelay.key)=registered, unless nobody signs in with Apple."),
        "\(route); users behind Apple's private relay get no email")
    }
    return Finding("mail", .ok, "\(route); `gatehouse mail test --to ADDRESS` sends one")
  }
}
