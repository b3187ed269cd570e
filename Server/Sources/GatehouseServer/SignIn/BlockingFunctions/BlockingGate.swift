import Foundation
import GatehouseProtocol
import GatehouseTokens

/// Lets a transaction consult the project's blocking functions, before it creates an account or begins a
/// session.
///
/// The gate holds the functions' answers so far. If an answer is missing, the transaction throws a
/// ``BlockingQuestion`` and is undone. The service then asks the function and runs the transaction again:
/// see ``AccountsService/write(asking:countedBy:in:now:_:)``.
struct BlockingGate: Sendable {
  let project: Project
  let context: BlockingContext
  /// The id of an account that the request creates. It is the same each time the transaction runs, so the
  /// account gets the id that the functions saw.
  let newUID = UID.random()
  private var answers: [Answer] = []

  private struct Answer: Sendable {
    let subject: BlockingSubject
    let verdict: Result<BlockingChanges, AccountsError>
  }

  /// The maximum number of questions in one request. A new account needs two answers if the project has both
  /// functions. More are needed if another request changes the account meanwhile.
  static let maximumCalls = 4

  init(_ context: BlockingContext, of project: Project) {
    self.project = project
    self.context = context
  }

  var isExhausted: Bool { answers.count >= Self.maximumCalls }

  mutating func add(
    _ verdict: Result<BlockingChanges, AccountsError>, to question: BlockingQuestion
  ) {
    answers.append(Answer(subject: question.subject, verdict: verdict))
  }

  /// Says that the functions were consulted, or don't have to be. No session begins without it.
  struct Admission {
    /// Whether ``BlockingFunction/Trigger/beforeSignIn`` was consulted. Then it decides the session's claims.
    fileprivate(set) var isDecided = false
    fileprivate(set) var sessionClaims: CustomClaims?
    fileprivate(set) var changesAccount = false
    /// The account's second factor has to be shown first, so no session begins.
    fileprivate(set) var needsSecondFactor = false
    /// The second factor that was shown, or that the user's present session has.
    fileprivate(set) var secondFactor: PresentedFactor?

    fileprivate init() {}

    /// For a session about which Firebase's functions don't decide: of an anonymous account, with a custom
    /// token, or in place of a session that the user has.
    static var notNeeded: Admission { Admission() }
  }

  /// Consults the functions, and applies what they change. The account is not saved.
  ///
  /// Afterwards the account may be disabled. Then save it, and begin no session: as in Firebase, the account
  /// of a user whom a function disables exists, but can't be used.
  ///
  /// If the account's second factor has to be shown first, only the function for new accounts is consulted, as in
  /// Firebase.
  ///
  /// - Parameter secondFactor: The one that was shown, or that the user's present session has.
  /// - Throws: ``BlockingQuestion`` if an answer is missing. If a function refused, or failed under the
  ///   policy to refuse: ``AccountsError/blockedByFunction(_:)``, or ``AccountsError/tooManyAttempts`` after
  ///   too many refusals.
  func admit(
    _ account: inout Account, isNew: Bool, secondFactor: PresentedFactor? = nil, now: Date
  ) throws -> Admission {
    var admission = Admission()
    admission.secondFactor = secondFactor
    let functions = project.blockingFunctions
    if isNew, !functions.isEmpty { try admitNew(&account, now: now) }
    admission.needsSecondFactor =
      secondFactor == nil && project.policies.secondFactors.demandsFactor(of: account, now: now)
    if functions.isEmpty || admission.needsSecondFactor { return admission }
    if !account.isDisabled, functions.beforeSignIn != nil {
      let changes = try changes(.beforeSignIn, account, secondFactor)
      changes.apply(to: &account, now: now)
      admission.isDecided = true
      admission.changesAccount = !changes.leavesAccount
      admission.sessionClaims = changes.sessionClaims.flatMap { $0.isEmpty ? nil : $0 }
      // The function may have set the claim for which a factor is required.
      admission.needsSecondFactor =
        secondFactor == nil
        && project.policies.secondFactors.demandsFactor(
          of: account, with: admission.sessionClaims, now: now)
    }
    return admission
  }

  /// Consults ``BlockingFunction/Trigger/beforeCreate`` alone, for a new account whose user doesn't sign in
  /// with this request. The account is not saved. Afterwards it may be disabled.
  ///
  /// - Throws: What ``admit(_:isNew:secondFactor:now:)`` throws.
  func admitNew(_ account: inout Account, now: Date) throws {
    guard project.blockingFunctions.beforeCreate != nil else { return }
    let changes = try changes(.beforeCreate, account)
    changes.apply(to: &account, now: now)
  }

  private func changes(
    _ trigger: BlockingFunction.Trigger, _ account: Account,
    _ secondFactor: PresentedFactor? = nil
  ) throws -> BlockingChanges {
    let subject = BlockingSubject(trigger, account)
    guard let answer = answers.first(where: { $0.subject == subject }) else {
      var context = context
      context.secondFactor = secondFactor?.method
      throw BlockingQuestion(trigger, about: account, context: context)
    }
    return try answer.verdict.get()
  }
}
