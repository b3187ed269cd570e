import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct EmailTemplateRecordsTests {
  @Test(arguments: StoreFactory.all)
  func `a template is of one project, kind and language`(_ factory: StoreFactory) async throws {
    try await withStore(factory) { store in
      let german = template(.resetPassword, "de", subject: "Passwort")
      let english = template(.resetPassword, "en", subject: "Password", html: "<p>")
      let other = template(.signIn, "de", subject: "Anmelden")
      try await store.write { transaction in
        for template in [german, english, other] {
          try transaction.save(template, in: Sample.first)
        }
      }
      let found = try await list(store)
      #expect(found.map(\.language) == ["de", "en"])
      #expect(found.map(\.subject) == ["Passwort", "Password"])
      #expect(found.map(\.html) == [nil, "<p>"])
      #expect(found.map(\.text) == ["text", "text"])
      #expect(found.map(\.updatedAt) == [Sample.now, Sample.now])
      #expect(
        try await store.read { try $0.emailTemplates(of: .resetPassword, in: Sample.second) }
          .isEmpty)
    }
  }

  @Test(arguments: StoreFactory.all)
  func `a template replaces the earlier one, and is removed once`(
    _ factory: StoreFactory
  ) async throws {
    try await withStore(factory) { store in
      for subject in ["first", "second"] {
        let template = template(.resetPassword, "de", subject: subject)
        try await store.write { try $0.save(template, in: Sample.first) }
      }
      #expect(try await list(store).map(\.subject) == ["second"])
      var removed: [Bool] = []
      for _ in 0..<2 {
        removed.append(
          try await store.write {
            try $0.deleteEmailTemplate(of: .resetPassword, language: "de", in: Sample.first)
          })
      }
      #expect(removed == [true, false])
      #expect(try await list(store).isEmpty)
    }
  }

  private func list(_ store: any Store) async throws -> [EmailTemplate] {
    try await store.read { try $0.emailTemplates(of: .resetPassword, in: Sample.first) }
  }

  private func template(
    _ kind: MailKind, _ language: String, subject: String, html: String? = nil
  ) -> EmailTemplate {
    EmailTemplate(
      kind: kind, language: language, subject: subject, text: "text", html: html,
      updatedAt: Sample.now)
  }
}
