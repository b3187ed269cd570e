import GatehouseProtocol
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import Synchronization
import X509

import struct Foundation.Date

/// Asks a host for its certificate once more, after a connection rejected the certificate. The TLS
/// library doesn't say why a certificate is rejected, and the operator has to know.
///
/// Accepts no certificate, and sends no request.
struct CertificateExamination: Sendable {
  let host: String
  let port: Int
  let address: IPAddress

  /// - Returns: Nil if the host sends no certificate this time.
  func fault(until deadline: NIODeadline, now: Date) async -> CertificateFault? {
    let seen = Seen()
    do {
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.shutdownTimeout = .milliseconds(1)
      let context = try NIOSSLContext(configuration: configuration)
      let name = IPAddress(host) == nil ? host : nil
      let end = try SocketAddress(ipAddress: address.description, port: port)
      let timeLeft = deadline - .now()
      guard timeLeft > .zero else { return nil }
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connectTimeout(timeLeft)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let handler = try NIOSSLClientHandler(
              context: context, serverHostname: name,
              customVerificationCallback: { certificates, promise in
                seen.certificates.withLock { $0 = certificates }
                promise.succeed(.failed)
              })
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.pipeline.syncOperations.addHandler(Closing())
          }
        }
        .connect(to: end).get()
      channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
      try await channel.closeFuture.get()
    } catch {
      return nil
    }
    let certificates = seen.certificates.withLock { $0 }
    return certificates.isEmpty ? nil : CertificateFault(certificates, now: now)
  }

  private final class Seen: Sendable {
    let certificates = Mutex<[NIOSSLCertificate]>([])
  }

  /// Closes the connection at the first error: the rejection of the certificate.
  private final class Closing: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }
  }
}

extension CertificateFault {
  /// What is wrong with a chain that a connection rejected, as far as the certificates show it.
  ///
  /// - Parameter chain: The certificates as the host sent them, its own first.
  init(_ chain: [NIOSSLCertificate], now: Date) {
    let certificates = chain.compactMap { certificate in
      (try? certificate.toDERBytes()).flatMap { try? Certificate(derEncoded: $0) }
    }
    if certificates.contains(where: { $0.notValidAfter < now }) {
      self = .expired
    } else if certificates.contains(where: { $0.notValidBefore > now }) {
      self = .notYetValid
    } else if let own = certificates.first, own.issuer == own.subject {
      self = .selfSigned
    } else {
      self = .unknownAuthority
    }
  }
}
