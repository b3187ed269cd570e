#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  extension View {
    /// Shows what `asking` asks, while `isOnTop`: an alert of a view that is covered by a sheet isn't
    /// shown.
    func consentAlert(_ asking: ConsentAsking, isOnTop: Bool = true) -> some View {
      alert(
        asking.text?.title ?? "",
        // The buttons alone answer: the system may hide an alert before it calls a button's action.
        isPresented: Binding(get: { isOnTop && asking.text != nil }, set: { _ in })
      ) {
        Button(asking.text?.agree ?? "") { asking.agree() }
        Button(asking.text?.decline ?? "", role: .cancel) { asking.decline() }
      } message: {
        Text(verbatim: asking.text?.message ?? "")
      }
    }
  }
#endif
