import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SwiftASN1
import X509

/// An https server on a loopback port, with a certificate that a test creates.
struct TLSServer {
  let port: Int

  /// - Parameter isSilent: Whether the server reads nothing after the request, not even the end of the
  ///   connection, and sends nothing.
  static func with<Result>(
    _ certificate: TestCertificate, isSilent: Bool = false,
    _ body: (TLSServer) async throws -> Result
  ) async throws -> Result {
    let context = try NIOSSLContext(
      configuration: .makeServerConfiguration(
        certificateChain: [
          .certificate(try NIOSSLCertificate(bytes: Array(certificate.pem.utf8), format: .pem))
        ],
        privateKey: .privateKey(
          try NIOSSLPrivateKey(
            bytes: Array(certificate.key.pemRepresentation.utf8), format: .pem))))
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(NIOSSLServerHandler(context: context))
          if isSilent { return try pipeline.addHandler(Silence()) }
          try pipeline.configureHTTPServerPipeline()
          try pipeline.addHandler(Handler())
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await body(TLSServer(port: channel.localAddress?.port ?? 0)))
    } catch {
      result = .failure(error)
    }
    try await channel.close().get()
    return try result.get()
  }

  private final class Silence: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
    }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .end = unwrapInboundIn(data) else { return }
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok, headers: ["content-length": "0"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}

/// A certificate and its key.
struct TestCertificate {
  let key: P256.Signing.PrivateKey
  let certificate: Certificate

  var pem: String {
    get throws { try certificate.serializeAsPEM().pemString }
  }

  /// - Parameters:
  ///   - days: The days of its validity, relative to now.
  ///   - authority: The signer; nil for a self-signed certificate.
  init(
    name: String = "idp.invalid", days: ClosedRange<Double> = -1...1,
    by authority: TestCertificate? = nil, isAuthority: Bool = false
  ) throws {
    let key = P256.Signing.PrivateKey()
    let subject = try DistinguishedName { CommonName(name) }
    self.key = key
    certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(),
      publicKey: Certificate.PublicKey(key.publicKey),
      notValidBefore: Date(timeIntervalSinceNow: days.lowerBound * 86_400),
      notValidAfter: Date(timeIntervalSinceNow: days.upperBound * 86_400),
      issuer: authority?.certificate.subject ?? subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: try Certificate.Extensions {
        SubjectAlternativeNames([.dnsName(name)])
        if isAuthority {
          Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        }
      },
      issuerPrivateKey: Certificate.PrivateKey(authority?.key ?? key))
  }
}
