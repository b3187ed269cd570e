/// The one script of pages: a provider's answer in the fragment, which browsers keep to themselves,
/// is repeated as a query, at the address where it came: each provider has its own.
struct PageScript: Sendable {
  static let path = "/__/auth/handler.js"

  private static let text = """
    "use strict";
    // Replaced, so that going back doesn't bring the answer again.
    if (location.hash.length > 1) {
      // Begins with "?", so that the path stays.
      location.replace((location.search ? location.search + "&" : "?") + location.hash.substring(1));
    }

    """

  func answer(_ call: Call) -> Answer {
    var answer = Answer(json: Array(Self.text.utf8), cachedSeconds: 3600)
    answer.contentType = "text/javascript; charset=utf-8"
    return answer
  }
}
