extension AccountError {
  init(_ fault: BrowserFault) {
    self =
      switch fault {
      case .device(let fault): .device(fault)
      case .notBegun(let error): .client(error)
      case .page(code: "auth/network-request-failed", let message):
        .device(.offline(detail: message ?? "The browser was offline."))
      case .page(let code, let message):
        .device(.failed(detail: [code, message].compactMap { $0 }.joined(separator: ": ")))
      case .anotherRequest: .answer(.noPendingRequest)
      case .notUnderstood: .answer(.notUnderstood)
      }
  }
}
