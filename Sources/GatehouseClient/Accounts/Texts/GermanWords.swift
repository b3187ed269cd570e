struct GermanWords: Words {
  func title(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Das Löschen hat nicht begonnen"
    case .reauthenticateApple: "Apple konnte dich nicht bestätigen"
    case .reauthenticateGoogle: "Google konnte dich nicht bestätigen"
    case .reauthenticate: "Wir konnten dich nicht bestätigen"
    case .revokeApple: "Noch mit Apple verbunden"
    case .revokeGoogle: "Noch mit Google verbunden"
    case .delete: "Das Konto konnte nicht gelöscht werden"
    }
  }

  func description(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Wir konnten dein Konto nicht abrufen."
    case .reauthenticateApple:
      "Bevor ein Konto gelöscht wird, muss Apple bestätigen, wer du bist. Das ist nicht gelungen."
    case .reauthenticateGoogle:
      "Bevor ein Konto gelöscht wird, muss Google bestätigen, wer du bist. Das ist nicht gelungen."
    case .reauthenticate:
      "Bevor ein Konto gelöscht wird, musst du dich noch einmal anmelden. Das ist nicht gelungen."
    case .revokeApple:
      "Apple konnte nicht mitgeteilt werden, dass diese App deinen Apple Account nicht mehr nutzt."
    case .revokeGoogle:
      "Google konnte nicht mitgeteilt werden, dass diese App dein Google-Konto nicht mehr nutzt."
    case .delete: "Der letzte Schritt, das Löschen des Kontos selbst, ist nicht gelungen."
    }
  }

  func suggestion(_ step: DeletionSentence) -> String {
    switch step {
    case .prepare: "Versuche es gleich noch einmal."
    case .reauthenticateApple:
      "Versuche es noch einmal mit dem Apple Account, mit dem du dich angemeldet hast."
    case .reauthenticateGoogle:
      "Versuche es noch einmal mit dem Google-Konto, mit dem du dich angemeldet hast."
    case .reauthenticate: "Versuche es noch einmal so, wie du dich sonst anmeldest."
    case .revokeApple:
      "Versuche es noch einmal. Wenn es wieder nicht gelingt: Öffne die Einstellungen, tippe auf deinen Namen und auf „Mit Apple anmelden“, und entferne dort die App. Lösche danach das Konto hier."
    case .revokeGoogle:
      "Versuche es noch einmal. Wenn es wieder nicht gelingt: Öffne dein Google-Konto und „Drittanbieter-Apps und -Dienste“, und entferne dort die App. Lösche danach das Konto hier."
    case .delete: "Versuche es noch einmal. Die erledigten Schritte musst du nicht wiederholen."
    }
  }

  func advice(_ advice: Advice, for aim: AdviceAim) -> String {
    let deletes = aim == .deletion
    return switch advice {
    case .offline: "Prüfe deine Internetverbindung und versuche es dann noch einmal."
    case .busy:
      "Ein anderes Fenster ist noch offen. Schließe den Vorgang dort ab und versuche es dann noch einmal."
    case .anotherAccount:
      deletes
        ? "Du hast ein anderes Konto gewählt. Versuche es noch einmal mit dem Konto, mit dem du dich angemeldet hast."
        : "Du hast ein anderes Konto gewählt. Versuche es noch einmal mit dem Konto, das hier verbunden ist."
    case .notOnThisDevice:
      "Auf diesem Gerät geht das nicht. Versuche es auf dem Gerät, auf dem du dich angemeldet hast, oder melde dich anders an."
    case .signInFirst:
      deletes
        ? "Melde dich neu an und lösche dann dein Konto."
        : "Melde dich an und versuche es dann noch einmal."
    case .proveByOtherWay:
      deletes
        ? "Melde dich ab und wieder an und lösche dein Konto dann innerhalb von fünf Minuten."
        : "Melde dich ab und wieder an und versuche es dann innerhalb von fünf Minuten noch einmal."
    case .wrongPassword:
      "Das Passwort stimmt nicht. Versuche es noch einmal oder lass dir ein neues schicken."
    case .tooManyAttempts:
      "Es waren zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal."
    case .disabled:
      deletes
        ? "Dein Konto ist gesperrt. Schreibe den Anbietern dieser App, damit sie es löschen."
        : "Dein Konto ist gesperrt. Schreibe den Anbietern dieser App."
    case .administratorsOnly:
      deletes
        ? "Nur die Anbieter dieser App können Konten löschen. Schreibe ihnen, damit sie dein Konto löschen."
        : "Das können nur die Anbieter dieser App. Schreibe ihnen."
    case .appIsNotSetUp:
      deletes
        ? "Diese App hat einen Fehler. Schreibe ihren Anbietern, damit sie dein Konto löschen."
        : "Diese App hat einen Fehler. Schreibe ihren Anbietern."
    case .accountExists:
      "Mit dieser E-Mail-Adresse hast du schon ein Konto. Melde dich so an wie früher."
    case .accountInUse:
      "Diese Anmeldemöglichkeit gehört schon zu einem anderen Konto. Wähle eine andere, oder melde dich ab und melde dich bei dem anderen Konto an."
    case .startAgain: "Das hat zu lange gedauert oder wurde schon benutzt. Beginne noch einmal."
    case .agreeFirst:
      "Bevor etwas verbunden wird, musst du zustimmen. Es wurde nichts geändert."
    case .secondFactorFirst:
      "Dein Konto verlangt außerdem einen Code. Gib ihn ein, um fortzufahren."
    case .wrongCode: "Der Code stimmt nicht. Versuche es noch einmal mit dem neuesten."
    case .verifyEmailFirst:
      "Bestätige zuerst deine E-Mail-Adresse: Folge dem Link, den wir dir geschickt haben."
    }
  }

  func progress(_ progress: DeletionProgress) -> String {
    switch progress {
    case .nothingRevoked: "Dein Konto ist unverändert."
    case .partlyRevoked:
      "Dein Konto ist noch da, und das Löschen geht dort weiter, wo es aufgehört hat."
    }
  }

  func interface(_ text: InterfaceText) -> String {
    switch text {
    case .account: "Konto"
    case .signOut: "Abmelden"
    case .deleteAccount: "Konto löschen"
    case .deleteQuestion:
      "Dein Konto und alles darin wird endgültig gelöscht. Möchtest du dein Konto löschen?"
    case .yesDelete: "Ja, löschen"
    case .cancel: "Abbrechen"
    case .ok: "In Ordnung"
    case .continueWithApple: "Mit Apple fortfahren"
    case .continueWithGoogle: "Mit Google fortfahren"
    case .continueWithProvider: "Im Browser fortfahren"
    case .continueWithPassword: "Mit Passwort fortfahren"
    case .newAccountQuestion: "Bist du neu hier, oder hast du schon ein Konto?"
    case .newHere: "Ich bin neu"
    case .haveAccount: "Ich habe ein Konto"
    case .waysToSignIn: "Anmeldemöglichkeiten"
    case .connect: "Verbinden"
    case .disconnect: "Trennen"
    case .email: "E-Mail"
    case .password: "Passwort"
    case .passwordToDelete: "Gib dein Passwort ein, um dein Konto zu löschen."
    case .signIn: "Anmelden"
    case .signInToConnect:
      "Melde dich bei deinem Konto an. Danach verbinden wir die neue Anmeldemöglichkeit damit."
    case .consentTitle: "Mit deinem Konto verbinden?"
    case .consentMessage:
      "Wenn du zustimmst, wird Folgendes in einem Konto verbunden, und die App weiß, dass es zu dir gehört:"
    case .agree: "Zustimmen"
    case .doNotConnect: "Nicht verbinden"
    case .yourEmail: "Deine E-Mail-Adresse"
    case .yourPhoneNumber: "Deine Telefonnummer"
    case .yourAppleAccount: "Dein Apple Account"
    case .yourGoogleAccount: "Dein Google-Konto"
    case .yourFacebookAccount: "Dein Facebook-Konto"
    case .yourGitHubAccount: "Dein GitHub-Konto"
    case .yourMicrosoftAccount: "Dein Microsoft-Konto"
    case .signInFailed: "Die Anmeldung ist nicht gelungen"
    case .didNotWork: "Das ist nicht gelungen"
    case .tryAgain: "Versuche es gleich noch einmal."
    case .secondFactors: "Anmeldung in zwei Schritten"
    case .addSecondFactor: "Zweiten Schritt hinzufügen"
    case .secondFactorRequired:
      "Dein Konto braucht einen zweiten Schritt. Wähle, wie du bestätigen möchtest, dass du es bist."
    case .chooseSecondFactor: "Wie möchtest du bestätigen, dass du es bist?"
    case .authenticatorApp: "Authenticator-App"
    case .textMessage: "SMS"
    case .recoveryCode: "Wiederherstellungscode"
    case .otherWay: "Anderen Weg wählen"
    case .continue: "Weiter"
    case .code: "Bestätigungscode"
    case .enterAppCode: "Gib den Code ein, den deine Authenticator-App zeigt."
    case .enterMessageCode: "Gib den Code ein, den wir dir per SMS geschickt haben."
    case .enterRecoveryCode:
      "Gib einen deiner Wiederherstellungscodes ein. Er gilt danach nicht mehr."
    case .sendAgain: "Noch einmal senden"
    case .phoneNumber: "Telefonnummer"
    case .addToAuthenticator:
      "Scanne diesen Code mit deiner Authenticator-App, öffne die App auf diesem Gerät, oder tippe den Schlüssel ab."
    case .openAuthenticator: "Authenticator-App öffnen"
    case .continueWithPasskey: "Mit Passkey fortfahren"
    case .passkeys: "Deine Passkeys"
    case .addPasskey: "Passkey hinzufügen"
    case .usePasskey: "Passkey verwenden"
    case .signUpWithPasskey: "Konto mit Passkey anlegen"
    case .recoveryCodesLeft: "Übrige Wiederherstellungscodes:"
    case .newRecoveryCodes: "Neue Wiederherstellungscodes erzeugen"
    case .saveRecoveryCodes:
      "Bewahre diese Wiederherstellungscodes sicher auf. Mit jedem kannst du dich einmal anmelden, wenn du dein Gerät verlierst. Sie werden nicht noch einmal gezeigt."
    case .savedRecoveryCodes: "Ich habe sie aufbewahrt"
    case .remove: "Entfernen"
    }
  }
}
