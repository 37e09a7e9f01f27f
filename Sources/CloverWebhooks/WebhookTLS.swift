import COpenSSL
import CloverSystem
import Glibc
import HummingbirdCore
import Logging
import NIOCore

/// The certificate of a listener that serves https, and its key.
package struct WebhookTLS: Sendable {
    /// Seconds since 1970 at which the certificate expires.
    package let expiry: Int64
    fileprivate let context: TLSContext

    /// Reads both files, which are in PEM. Blocks.
    ///
    /// - Parameter certificate: the server's certificate, and those between it and its root.
    /// - Throws: `WebhookTLSError`.
    package init(certificate: String, key: String) throws(WebhookTLSError) {
        context = try TLSContext(certificate: certificate, key: key)
        expiry = context.expiry
    }
}

/// Why the listener cannot serve https. The text is OpenSSL's reason.
package enum WebhookTLSError: Error, Equatable, Sendable {
    /// libssl is not installed.
    case libraryMissing(detail: String)
    case badCertificate(String)
    case badKey(String)
    /// The key belongs to another certificate.
    case otherKey
}

/// libssl, loaded when it is first needed and kept until the process ends.
private struct TLSLibrary: @unchecked Sendable {
    /// Filled once and then only read, so threads may share it.
    let functions: clover_openssl

    static let loaded = Result { () throws(WebhookTLSError) in try TLSLibrary(named: "libssl.so.3") }

    init(named name: String) throws(WebhookTLSError) {
        functions = try LoadedLibrary.functions(
            of: name, fill: clover_openssl_fill, missing: WebhookTLSError.libraryMissing
        ).pointee
    }

    /// The reason of the first error of this thread; later ones only say where it came through.
    var reason: String {
        functions.ERR_reason_error_string(functions.ERR_peek_error()).map { String(cString: $0) } ?? "unknown"
    }
}

/// What all connections share. OpenSSL counts its users with atomic operations, so threads may share it once it is set up.
private final class TLSContext: @unchecked Sendable {
    let library: clover_openssl
    let pointer: OpaquePointer
    let expiry: Int64

    init(certificate: String, key: String) throws(WebhookTLSError) {
        let loaded = try TLSLibrary.loaded.get()
        library = loaded.functions
        library.ERR_clear_error()
        guard let pointer = library.SSL_CTX_new(library.TLS_server_method()) else {
            throw .libraryMissing(detail: loaded.reason)
        }
        self.pointer = pointer
        var failure: WebhookTLSError?
        // An encrypted key would otherwise be asked for at the terminal; with this password it is refused.
        let password = strdup("")
        defer { free(password) }
        library.SSL_CTX_set_default_passwd_cb_userdata(pointer, password)
        if library.SSL_CTX_use_certificate_chain_file(pointer, certificate) != 1 {
            failure = .badCertificate(loaded.reason)
        } else if library.SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) != 1 {
            // It compares keys of the same type only. The lower 23 bits are the reason (ERR_GET_REASON(3)).
            let isOther = library.ERR_peek_last_error() & 0x7F_FFFF == UInt(X509_R_KEY_VALUES_MISMATCH)
            failure = isOther ? .otherKey : .badKey(loaded.reason)
        } else if library.SSL_CTX_check_private_key(pointer) != 1 {
            failure = .otherKey
        }
        var time = tm()
        if failure == nil, let found = library.SSL_CTX_get0_certificate(pointer) {
            _ = library.ASN1_TIME_to_tm(library.X509_get0_notAfter(found), &time)
        }
        expiry = Int64(timegm(&time))
        library.SSL_CTX_set_default_passwd_cb_userdata(pointer, nil)
        _ = library.SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // Idle connections keep no buffers.
        _ = library.SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, 0x10, nil)
        // A peer that negotiates again and again would cost more than it pays (SSL_OP_NO_RENEGOTIATION).
        _ = library.SSL_CTX_set_options(pointer, 1 << 30)
        if let failure { throw failure }
    }

    deinit { library.SSL_CTX_free(pointer) }
}

/// Decrypts what arrives at a connection, and encrypts what leaves it (RFC 8446).
///
/// OpenSSL reads from one memory buffer and writes to another (bio_s_mem(7)), so it never blocks or touches the socket.
/// A timer of ``WebhookConnectionHandler`` limits the handshake too. All methods run on the connection's event loop.
private final class TLSHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Size of a TLS record's content, in bytes.
    private static let recordSize = 16 * 1024

    private let context: TLSContext
    private let library: clover_openssl
    private let session: OpaquePointer
    /// Owned by ``session``.
    private let (received, sent): (OpaquePointer, OpaquePointer)
    private var hasFailed = false

    /// Nil if there is no memory.
    init?(_ context: TLSContext) {
        self.context = context
        library = context.library
        guard let session = library.SSL_new(context.pointer) else { return nil }
        guard let received = library.BIO_new(library.BIO_s_mem()), let sent = library.BIO_new(library.BIO_s_mem())
        else {
            library.SSL_free(session)
            return nil
        }
        (self.session, self.received, self.sent) = (session, received, sent)
        library.SSL_set_bio(session, received, sent)
        library.SSL_set_accept_state(session)
    }

    deinit { library.SSL_free(session) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasFailed { return }
        unwrapInboundIn(data).withUnsafeReadableBytes {
            _ = library.BIO_write(received, $0.baseAddress, Int32($0.count))
        }
        var plain = context.channel.allocator.buffer(capacity: Self.recordSize)
        var result: Int32 = 0
        repeat {
            library.ERR_clear_error()
            plain.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { space in
                result = library.SSL_read(session, space.baseAddress, Int32(space.count))
                return max(0, Int(result))
            }
        } while result > 0
        let error = library.SSL_get_error(session, result)
        hasFailed = error != SSL_ERROR_WANT_READ && error != SSL_ERROR_ZERO_RETURN
        library.ERR_clear_error()
        if let bytes = takeSent(context) { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
        if plain.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plain)) }
        if hasFailed { context.close(promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let plain = unwrapOutboundIn(data)
        var result: Int32 = 1
        if plain.readableBytes > 0 {
            library.ERR_clear_error()
            // It takes everything, or fails: the memory buffer grows.
            result = plain.withUnsafeReadableBytes {
                library.SSL_write(session, $0.baseAddress, Int32($0.count))
            }
            library.ERR_clear_error()
        }
        guard result > 0 else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(wrapOutboundOut(takeSent(context) ?? ByteBuffer()), promise: promise)
    }

    /// Tells the peer first that nothing follows.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, !hasFailed {
            library.ERR_clear_error()
            _ = library.SSL_shutdown(session)
            library.ERR_clear_error()
            if let bytes = takeSent(context) { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
        }
        context.close(mode: mode, promise: promise)
    }

    /// Takes what is to be sent; nil if there is nothing.
    private func takeSent(_ context: ChannelHandlerContext) -> ByteBuffer? {
        let count = library.BIO_ctrl_pending(sent)
        if count == 0 { return nil }
        var bytes = context.channel.allocator.buffer(capacity: count)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
            max(0, Int(library.BIO_read(sent, $0.baseAddress, Int32(count))))
        }
        return bytes
    }
}

/// The connections of a listener: HTTP, over TLS if there is a certificate.
struct WebhookChannel: ServerChildChannel {
    let http: HTTP1Channel
    let tls: WebhookTLS?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            guard let tls else { return }
            guard let handler = TLSHandler(tls.context) else { throw ChannelError.ioOnClosedChannel }
            try channel.pipeline.syncOperations.addHandler(handler)
        }.flatMap { http.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
