import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
  /// A person's picture, the same for every person.
  static var silhouette: Response {
    let picture = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50"><path fill="#c4c9d4" d="M0 0h50v50H0z"/>\
      <path fill="#fff" d="M25 11a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM7 50a18 18 0 0 1 36 0Z"/></svg>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "image/svg+xml", .contentSecurityPolicy: "default-src 'none'",
        .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: picture)))
  }
}
