/// The target of a page's forms, and the hidden fields that each form has.
struct DialogForm: Sendable {
  let action: String
  /// See ``SimulatorState/keep(_:)``.
  let token: String

  /// - Parameter fields: HTML.
  func html(_ fields: String) -> String {
    """
    <form method="post" action="\(HTML.escape(action))">
    <input type="hidden" name="request" value="\(HTML.escape(token))">
    \(fields)
    </form>
    """
  }

  /// A link to another page of this request. Its GET changes nothing.
  func link(_ id: String, _ label: String, step: String?, isButton: Bool = true) -> String {
    let more = step.map { "&amp;step=\($0)" } ?? ""
    let style = isButton ? " class=\"button\"" : ""
    return "<a id=\"\(id)\"\(style) "
      + "href=\"\(HTML.escape(action))?request=\(HTML.escape(token))\(more)\">"
      + "\(HTML.escape(label))</a>"
  }

  func cancel(_ texts: DialogTexts) -> String {
    html(
      "<button id=\"cancel\" name=\"action\" value=\"cancel\">\(HTML.escape(texts.cancel))</button>"
    )
  }

  static func goOn(_ action: String, _ texts: DialogTexts) -> String {
    "<button id=\"continue\" class=\"primary\" name=\"action\" value=\"\(action)\">"
      + "\(HTML.escape(texts.goOn))</button>"
  }

  static func hidden(_ name: String, _ value: String) -> String {
    "<input type=\"hidden\" name=\"\(HTML.escape(name))\" value=\"\(HTML.escape(value))\">"
  }

  /// A field with its label. The id is the name, with a hyphen for each underscore.
  static func text(
    _ name: String, _ label: String, _ value: String, type: String = "text", autocomplete: String,
    more: String = ""
  ) -> String {
    let id = name.replacing("_", with: "-")
    return "<label for=\"\(id)\">\(HTML.escape(label))</label>"
      + "<input id=\"\(id)\" name=\"\(name)\" type=\"\(type)\" value=\"\(HTML.escape(value))\" "
      + "autocomplete=\"\(autocomplete)\" maxlength=\"254\"\(more)>"
  }
}

extension DialogRequest {
  /// The client's name, cut to fit on a page.
  var clientName: String { String(clientID.prefix(80)) }
}
