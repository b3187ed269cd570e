extension SheetTexts {
  static let german = SheetTexts(
    note: { "Simulator, zum Testen. Das ist nicht \($0) und niemandes echtes Konto." },
    chooseTitle: { "Eine Person bei \($0) wählen" },
    toGoOn: { "um zu \($0) zu gelangen" },
    usedLast: "zuletzt benutzt",
    another: "Eine andere Person",
    anotherTitle: "Eine andere Person",
    anotherBody:
      "Sie wird jetzt angelegt. Mit einer Adresse, die schon jemand hat, meldet sich diese Person an.",
    firstName: "Vorname",
    lastName: "Nachname",
    email: "E-Mail",
    emailRefused:
      "Bitte eine Adresse wie carol@example.com eingeben und Namen von höchstens 256 Bytes.",
    full: "Es gibt zu viele Personen. Erst müssen welche gelöscht werden.",
    consentTitle: { client, provider in "Mit \(provider) bei \(client) anmelden" },
    signedInAs: "Angemeldet als",
    otherAccount: "Eine andere Person wählen",
    nameLegend: "Name",
    nameBody: "Die App erhält ihn nur dieses Mal, so wie er hier steht.",
    emailLegend: "E-Mail-Adresse",
    share: "Meine E-Mail-Adresse mitteilen",
    hide: "Meine E-Mail-Adresse verbergen",
    hideBody: { "Die App erhält stattdessen \($0)." },
    againBody: { "\($0) ist schon bekannt und erhält nichts Neues." },
    clientGets: { "\($0) kann danach" },
    scope: {
      switch $0 {
      case .openid: "erkennen, wer sich anmeldet"
      case .email: "die E-Mail-Adresse sehen"
      case .profile, .publicProfile, .name: "Name und Bild sehen"
      case .offlineAccess: "diesen Zugriff auch in Abwesenheit nutzen"
      }
    },
    untickBody: "Was nicht angekreuzt ist, bleibt privat.",
    goOn: "Weiter",
    cancel: "Abbrechen",
    back: "Zurück",
    endedTitle: "Diese Seite ist abgelaufen",
    endedBody: "Sie wurde schon beantwortet oder ist zu alt. Bitte in der App neu beginnen.")
}
