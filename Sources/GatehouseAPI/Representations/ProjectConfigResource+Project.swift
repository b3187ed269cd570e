import GatehouseAccounts
import GatehouseModel
import GatehouseWire

extension ProjectConfigResource {
  init(_ project: Project) {
    self.init(name: "projects/\(project.id.text)/config")
    allowDuplicateEmails = project.policies.allowsDuplicateEmails
    emailEnabled = project.policies.allowsPasswords
    anonymousEnabled = project.policies.allowsAnonymous
    enableImprovedEmailPrivacy = project.policies.protectsEmails
    disabledUserSignup = project.policies.refusesSignUp
    disabledUserDeletion = project.policies.refusesDeletion
    authorizedDomains = project.authorizedDomains
  }

  /// Takes over what the mask names, or what the resource holds if there is no mask.
  func apply(to project: inout Project, under mask: FieldMask) {
    func set(_ path: String, _ value: Bool?, _ policy: WritableKeyPath<ProjectPolicies, Bool>) {
      if mask.covers(path, presentInBody: value != nil) {
        project.policies[keyPath: policy] = value ?? false
      }
    }
    set("signIn.allowDuplicateEmails", allowDuplicateEmails, \.allowsDuplicateEmails)
    set("signIn.email.enabled", emailEnabled, \.allowsPasswords)
    set("signIn.anonymous.enabled", anonymousEnabled, \.allowsAnonymous)
    set(
      "emailPrivacyConfig.enableImprovedEmailPrivacy", enableImprovedEmailPrivacy, \.protectsEmails)
    set("client.permissions.disabledUserSignup", disabledUserSignup, \.refusesSignUp)
    set("client.permissions.disabledUserDeletion", disabledUserDeletion, \.refusesDeletion)
    if mask.covers("authorizedDomains", presentInBody: authorizedDomains != nil) {
      project.authorizedDomains = authorizedDomains ?? []
    }
  }
}
