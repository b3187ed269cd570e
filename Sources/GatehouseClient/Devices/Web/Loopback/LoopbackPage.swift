import Foundation

/// The listener's HTTP responses: the redirect at the beginning, and the page that the browser
/// shows at the end.
enum LoopbackPage {
  /// A complete HTTP/1.1 response.
  static func response(status: Int) -> [UInt8] {
    let (title, text) =
      status == 200
      ? ("Back to the app", "You may close this page and return to the app.")
      : ("Nothing here", "This address belongs to an app. It has no page for you.")
    let body = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      <style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:1rem}</style>
      <h1>\(title)</h1>
      <p>\(text)</p>
      </html>

      """
    let head = [
      "HTTP/1.1 \(status) \(reason(status))",
      "Content-Type: text/html; charset=utf-8",
      "Content-Length: \(body.utf8.count)",
      "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
        + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      "Cache-Control: no-store",
      // The URL contains the response of the sign-in.
      "Referrer-Policy: no-referrer",
      "X-Content-Type-Options: nosniff",
      "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  /// Redirects the browser. The response has no body, so other users can't read the URL in one.
  static func redirect(to url: URL) -> [UInt8] {
    let head = [
      "HTTP/1.1 303 See Other", "Location: \(url.absoluteString)", "Content-Length: 0",
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
    ]
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 421: "Misdirected Request"
    case 431: "Request Header Fields Too Large"
    default: "Bad Request"
    }
  }
}
