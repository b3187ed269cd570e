@testable import GatehouseServer

enum SQLStatements {
  /// Every statement of a transaction, but for the engines' own.
  static var all: [String] {
    texts(AccountSQL.self) + texts(AccountRecordSQL.self) + texts(IdentityRecordSQL.self)
      + texts(SessionSQL.self) + texts(SessionRecordSQL.self) + texts(OneTimeSQL.self)
      + texts(ActionCodeSQL.self) + texts(ActionCodeRecordSQL.self)
      + texts(ProjectRecordSQL.self) + texts(ProviderRecordSQL.self)
      + texts(PhoneVerificationRecordSQL.self)
      + texts(ProjectSQL.self) + texts(AppSQL.self) + texts(AndroidAppSQL.self)
      + texts(EmailTemplateSQL.self)
      + texts(ProviderSQL.self) + texts(KeySQL.self)
      + texts(ServerSQL.self) + texts(AttemptSQL.self) + texts(ServiceAccountSQL.self)
      + texts(ConsentSQL.self) + texts(PasswordKeySQL.self) + texts(PhoneVerificationSQL.self)
      + texts(CodeWebhookSQL.self) + texts(OutboxSQL.self) + texts(ProviderTokenSQL.self)
      + texts(ProviderNotificationSQL.self) + texts(SubjectTransferSQL.self)
      + texts(EventSQL.self) + texts(EventChainSQL.self)
      + texts(HookSQL.self) + texts(PasskeySQL.self) + texts(SearchSQL.self)
      + texts(SignInCountSQL.self)
      + texts(SearchTermSQL.self)
  }

  private static func texts<Statement: SQLStatement>(_ type: Statement.Type) -> [String] {
    type.allCases.map(\.text)
  }
}
