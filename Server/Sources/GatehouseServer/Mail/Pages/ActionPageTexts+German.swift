extension ActionPageTexts {
  static let german = ActionPageTexts(
    passwordReset: Story(
      asked: PageText(
        "Neues Passwort wählen",
        "Für das Konto mit der Adresse {email}. Alle Geräte werden abgemeldet."),
      button: "Passwort speichern",
      done: PageText(
        "Das Passwort ist geändert",
        "Ab jetzt bei {email} mit dem neuen Passwort anmelden. Alle Geräte wurden abgemeldet.")),
    emailVerification: Story(
      asked: PageText("E-Mail-Adresse bestätigen", "Gehört {email} zu deinem Konto?"),
      button: "Adresse bestätigen",
      done: PageText("Die Adresse ist bestätigt", "{email} gehört jetzt zu deinem Konto.")),
    emailChange: Story(
      asked: PageText(
        "E-Mail-Adresse ändern",
        "Die Adresse deines Kontos ist {email}. Sie wird zu {newEmail}. Alle Geräte werden "
          + "abgemeldet."),
      button: "Adresse ändern",
      done: PageText(
        "Die Adresse ist geändert",
        "Ab jetzt mit {newEmail} anmelden. Alle Geräte wurden abgemeldet.")),
    emailRecovery: Story(
      asked: PageText(
        "E-Mail-Adresse wiederherstellen",
        "Die Adresse deines Kontos wurde geändert. Sie wird wieder zu {email}. Alle Geräte werden "
          + "abgemeldet. Passwörter und andere Anmeldewege, die seit der letzten Bestätigung dieser "
          + "Adresse dazukamen, werden entfernt."),
      button: "Adresse wiederherstellen",
      done: PageText(
        "Die Adresse ist wiederhergestellt",
        "Die Adresse deines Kontos ist wieder {email}. Alle Geräte wurden abgemeldet.")),
    newPassword: "Neues Passwort",
    rules: Rules(
      minimumLength: "mindestens {n} Zeichen", maximumLength: "höchstens {n} Zeichen",
      lowercase: "ein Kleinbuchstabe (a–z)", uppercase: "ein Großbuchstabe (A–Z)",
      digit: "eine Ziffer (0–9)", symbol: "ein Sonderzeichen wie ! ? # -"),
    badPassword: "Dieses Passwort wurde nicht gespeichert. Es fehlt:",
    notYou: "Wenn das nicht von dir kommt, schließe diese Seite. Dann ändert sich nichts.",
    ownChange:
      "Wenn du die Adresse selbst geändert hast, schließe diese Seite. Dann ändert sich nichts.",
    consent: Consent(
      asked: PageText(
        "Gehört das zusammen?",
        "Wenn du fortfährst, gehört alles davon zu einem Konto, und jedes davon meldet dort an:"),
      button: "Einverstanden: Adresse ändern", phone: "deine Telefonnummer"),
    signIn: SignIn(
      asked: PageText(
        "Anmelden", "Weiter geht es in der App, in der du diesen Link angefordert hast."),
      openApp: "App öffnen", goOn: "Weiter"),
    digits: Digits(
      asked: PageText(
        "Code eingeben",
        "Wir haben dir eine Mail mit sechs Ziffern geschickt. Sie gelten zehn Minuten."),
      field: "Sechs Ziffern", button: "Weiter",
      wrong: "Das sind nicht die Ziffern der neuesten Mail, oder sie sind zu alt.",
      orLink: "Du kannst auch den Link in der Mail benutzen."),
    resetMail: ResetMail(
      advice: "Vielleicht kennt jemand anderes dein Passwort. Wähle ein neues:",
      button: "Link für ein neues Passwort schicken",
      adviceWithoutMail:
        "Vielleicht kennt jemand anderes dein Passwort. Wähle in der App ein neues.",
      sent: PageText(
        "Sieh in deine Mails",
        "Wenn {email} zu einem Konto gehört, ist ein Link für ein neues Passwort unterwegs.")),
    ending: Ending(
      goOn: "Weiter", close: "Du kannst diese Seite schließen und zur App zurückgehen.",
      untrusted:
        "Der Link führt weiter an einen Ort, der nicht zur App gehört. Schließe diese Seite "
        + "und öffne die App selbst."),
    faults: Faults(
      incomplete: PageText(
        "Dieser Link funktioniert nicht",
        "Er ist unvollständig. Öffne ihn noch einmal aus der Mail, oder fordere in der App einen "
          + "neuen an."),
      spent: PageText(
        "Dieser Link funktioniert nicht mehr",
        "Er ist abgelaufen, wurde schon benutzt oder durch einen neueren ersetzt. Fordere in der App "
          + "einen neuen an."),
      spentRecovery: PageText(
        "Dieser Link funktioniert nicht mehr",
        "Er ist abgelaufen oder wurde schon benutzt. Hat dein Konto noch eine andere Adresse, dann wende "
          + "dich an die Leute, die die App machen."),
      userDisabled: PageText(
        "Dieses Konto ist gesperrt", "Nur die Leute, die die App machen, können es entsperren."),
      emailTaken: PageText(
        "Es wurde nichts geändert", "Die Adresse gehört inzwischen zu einem anderen Konto."),
      notOffered: PageText(
        "Die App bietet das nicht an", "Geh zurück zur App und melde dich anders an."),
      noApp: PageText(
        "Dieser Link öffnet die App",
        "Öffne ihn auf dem Gerät mit der App, oder fordere in der App einen neuen an."),
      tooManyAttempts: PageText(
        "Zu viele Versuche",
        "Es wurde nichts geändert. Warte einige Minuten und öffne den Link dann noch einmal."),
      otherSite: PageText(
        "Das kam von einer anderen Seite",
        "Es wurde nichts geändert. Öffne den Link noch einmal aus der Mail und benutze den Knopf "
          + "dort."),
      busy: PageText("Gerade nicht", "Der Server ist ausgelastet. Bitte gleich noch einmal.")))
}
