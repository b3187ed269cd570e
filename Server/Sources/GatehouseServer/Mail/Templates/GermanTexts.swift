extension BuiltInLanguage {
  static let german = BuiltInLanguage(
    tag: .german,
    phrases: MailPhrases(
      greeting: "Hallo{{#displayName}} {{displayName}}{{/displayName}},",
      code: "Oder gib innerhalb von 10 Minuten diesen Code in der App ein:",
      validity: "Der Link ist {{expiry}} gültig und funktioniert einmal.",
      address: "Funktioniert der Knopf nicht, öffne diese Adresse im Browser:",
      footer: "{{appName}} hat diese E-Mail automatisch verschickt."),
    text: germanText)

  private static func germanText(_ kind: MailKind) -> MailText {
    switch kind {
    case .verifyEmail:
      MailText(
        subject: "Bestätige deine E-Mail-Adresse für {{appName}}",
        heading: "Bestätige deine E-Mail-Adresse",
        paragraphs: [
          "Jemand hat {{email}} als E-Mail-Adresse eines Kontos bei {{appName}} angegeben. Warst du "
            + "das, dann bestätige, dass die Adresse dir gehört."
        ],
        button: "E-Mail-Adresse bestätigen",
        otherwise: "Warst du es nicht, ignoriere diese E-Mail. Die Adresse bleibt dann unbestätigt."
      )
    case .resetPassword:
      MailText(
        subject: "Setze dein Passwort für {{appName}} zurück",
        heading: "Setze dein Passwort zurück",
        paragraphs: [
          "Jemand möchte das Passwort des Kontos bei {{appName}} mit der E-Mail-Adresse {{email}} "
            + "zurücksetzen. Warst du das, dann wähle ein neues Passwort."
        ],
        button: "Neues Passwort wählen",
        otherwise: "Warst du es nicht, ignoriere diese E-Mail. Dein Passwort bleibt, wie es ist.")
    case .signIn:
      MailText(
        subject: "Anmelden bei {{appName}}",
        heading: "Anmelden bei {{appName}}",
        paragraphs: [
          "Jemand möchte sich mit der E-Mail-Adresse {{email}} bei {{appName}} anmelden. Warst du das, "
            + "geht es unten weiter."
        ],
        button: "Anmelden",
        otherwise:
          "Warst du es nicht, ignoriere diese E-Mail, und niemand wird angemeldet. Leite sie "
          + "nicht weiter: Wer sie hat, kann sich als du anmelden.")
    case .verifyAndChangeEmail:
      MailText(
        subject: "Bestätige deine neue E-Mail-Adresse für {{appName}}",
        heading: "Bestätige deine neue E-Mail-Adresse",
        paragraphs: [
          "Jemand möchte die E-Mail-Adresse eines Kontos bei {{appName}} in {{newEmail}} ändern. Warst "
            + "du das, dann bestätige die neue Adresse."
        ],
        button: "Neue Adresse bestätigen",
        otherwise: "Warst du es nicht, ignoriere diese E-Mail. Das Konto behält dann seine Adresse."
      )
    case .recoverEmail:
      MailText(
        subject: "Deine E-Mail-Adresse für {{appName}} wurde geändert",
        heading: "Deine E-Mail-Adresse wurde geändert",
        paragraphs: [
          "{{#newEmail}}Die E-Mail-Adresse deines Kontos bei {{appName}} wurde von {{email}} in "
            + "{{newEmail}} geändert.{{/newEmail}}{{^newEmail}}Die E-Mail-Adresse {{email}} wurde aus "
            + "deinem Konto bei {{appName}} entfernt.{{/newEmail}} Warst du das, ist nichts zu tun.",
          "Warst du es nicht, mach die Änderung rückgängig. Dein Konto hat dann wieder die Adresse "
            + "{{email}}.",
        ],
        button: "Änderung rückgängig machen",
        otherwise: "Ignorierst du diese E-Mail, bleibt es bei der Änderung.")
    case .passwordChanged:
      MailText(
        subject: "Dein Passwort für {{appName}} wurde geändert",
        heading: "Dein Passwort wurde geändert",
        paragraphs: [
          "Das Passwort des Kontos bei {{appName}} mit der E-Mail-Adresse {{email}} wurde geändert. "
            + "Warst du das, ist nichts zu tun."
        ],
        otherwise: "Warst du es nicht, öffne {{appName}} und setze bei der Anmeldung dein Passwort "
          + "zurück.")
    case .providerLinked:
      MailText(
        subject: "Neue Anmeldung bei {{appName}} möglich",
        heading: "Neue Anmeldung möglich",
        paragraphs: [
          "Beim Konto mit der E-Mail-Adresse {{email}} bei {{appName}} ist jetzt auch die Anmeldung "
            + "mit {{providerName}} möglich. Hast du das eingerichtet, ist nichts zu tun."
        ],
        otherwise:
          "Warst du es nicht, öffne {{appName}}, entferne diese Anmeldung aus deinem Konto "
          + "und ändere dein Passwort.")
    case .secondFactorAdded:
      MailText(
        subject: "Neuer zweiter Faktor für {{appName}}",
        heading: "Neuer zweiter Faktor",
        paragraphs: [
          "Beim Konto mit der E-Mail-Adresse {{email}} bei {{appName}} wurde ein zweiter "
            + "Faktor hinzugefügt: Die Anmeldung braucht jetzt auch einen Code. Hast du das "
            + "eingerichtet, ist nichts zu tun."
        ],
        otherwise:
          "Warst du es nicht, öffne {{appName}}, entferne ihn aus deinem Konto und ändere dein "
          + "Passwort.")
    case .secondFactorRemoved:
      MailText(
        subject: "Zweiter Faktor bei {{appName}} entfernt",
        heading: "Zweiter Faktor entfernt",
        paragraphs: [
          "Beim Konto mit der E-Mail-Adresse {{email}} bei {{appName}} wurde ein zweiter "
            + "Faktor entfernt. Warst du das, ist nichts zu tun."
        ],
        otherwise: "Warst du es nicht, öffne {{appName}}, ändere dein Passwort und füge ihn wieder "
          + "hinzu.")
    case .recoveryCodesCreated:
      MailText(
        subject: "Neue Wiederherstellungscodes für {{appName}}",
        heading: "Neue Wiederherstellungscodes",
        paragraphs: [
          "Für das Konto mit der E-Mail-Adresse {{email}} bei {{appName}} wurden neue "
            + "Wiederherstellungscodes erstellt. Die früheren gelten nicht mehr. Warst du das, "
            + "ist nichts zu tun."
        ],
        otherwise: "Warst du es nicht, öffne {{appName}}, ändere dein Passwort und erstelle neue "
          + "Wiederherstellungscodes.")
    case .recoveryCodeUsed:
      MailText(
        subject: "Wiederherstellungscode für {{appName}} benutzt",
        heading: "Ein Wiederherstellungscode wurde benutzt",
        paragraphs: [
          "Beim Konto mit der E-Mail-Adresse {{email}} bei {{appName}} hat sich jemand mit "
            + "einem Wiederherstellungscode angemeldet. Warst du das, ist nichts zu tun."
        ],
        otherwise: "Warst du es nicht, öffne {{appName}}, ändere dein Passwort und erstelle neue "
          + "Wiederherstellungscodes.")
    case .passkeyAdded:
      MailText(
        subject: "Neuer Passkey für {{appName}}",
        heading: "Neuer Passkey",
        paragraphs: [
          "Zum Konto mit der E-Mail-Adresse {{email}} bei {{appName}} wurde ein Passkey hinzugefügt. Wer "
            + "ihn hat, kann sich anmelden. Warst du das, ist nichts zu tun."
        ],
        otherwise:
          "Warst du es nicht, öffne {{appName}}, entferne den Passkey aus deinem Konto und "
          + "ändere dein Passwort.")
    case .passkeyRemoved:
      MailText(
        subject: "Passkey für {{appName}} entfernt",
        heading: "Passkey entfernt",
        paragraphs: [
          "Vom Konto mit der E-Mail-Adresse {{email}} bei {{appName}} wurde ein Passkey entfernt. Niemand "
            + "kann sich damit noch anmelden. Warst du das, ist nichts zu tun."
        ],
        otherwise: "Warst du es nicht, öffne {{appName}} und prüfe, wie du dich bei deinem Konto "
          + "anmelden kannst.")
    case .deletionScheduled:
      MailText(
        subject: "Dein Konto bei {{appName}} wird gelöscht",
        heading: "Dein Konto wird gelöscht",
        paragraphs: [
          "Das Konto bei {{appName}} mit der E-Mail-Adresse {{email}} wird gelöscht. Die Frist bis "
            + "dahin: {{expiry}}. War das dein Wunsch, ist nichts zu tun.",
          "Um das Konto zu behalten, melde dich vorher an.",
        ],
        otherwise: "War es nicht dein Wunsch, melde dich jetzt an und ändere dein Passwort.")
    case .accountDeleted:
      MailText(
        subject: "Dein Konto bei {{appName}} wurde gelöscht",
        heading: "Dein Konto wurde gelöscht",
        paragraphs: [
          "Das Konto bei {{appName}} mit der E-Mail-Adresse {{email}} wurde gelöscht. Niemand kann "
            + "sich damit noch anmelden. War das dein Wunsch, ist nichts zu tun."
        ],
        otherwise: "War es nicht dein Wunsch, wende dich an die Betreiber von {{appName}}.")
    }
  }
}
