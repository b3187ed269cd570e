#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  extension View {
    /// Shows the question of `asking` while `isOnTop` is true: an alert is not shown if a sheet
    /// covers its view.
    func consentAlert(_ asking: ConsentAsking, isOnTop: Bool = true) -> some View {
      alert(
        asking.text?.title ?? "",
        // Only the buttons end the question: the system may hide an alert before it calls a
        // button's action.
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
