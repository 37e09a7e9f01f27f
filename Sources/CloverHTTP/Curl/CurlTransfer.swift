import CCurl
import CloverSystem
import Glibc

/// One easy handle with everything that must live as long. Used only on the engine's thread.
///
/// libcurl's callbacks get an unretained pointer to this object. The engine keeps the object until the handle has been
/// removed from the multi handle, and `deinit` frees the handle.
final class CurlTransfer {
    let exchange: CurlExchange
    let handle: UnsafeMutableRawPointer
    private let curl: UnsafePointer<clover_curl>
    private var headerList: UnsafeMutablePointer<curl_slist>?
    /// CURLOPT_ERRORBUFFER(3): libcurl writes its explanation here until the handle is freed.
    private let errorText: UnsafeMutablePointer<CChar>
    /// CURLOPT_POSTFIELDS(3): libcurl does not copy the body, so it is kept until the handle is freed.
    private var body: UnsafeMutableBufferPointer<UInt8>?
    private var status = 0
    private var headers: [HTTPHeader] = []
    /// Total bytes of all heads of the transfer.
    private var headSize = 0
    /// Size in bytes at which a response is refused for its head; libcurl limits each line.
    private static let headLimit = 1 << 20
    private var isHeadComplete = false
    /// Number of times libcurl was about to send the request.
    private var sendAttempts = 0
    /// libcurl was allowed to send the request since the last call of `noteDeparture`.
    private var isSending = false
    /// The decision about the request; nil until libcurl is about to send it.
    private var decision: SendGate.Answer?
    private let certificateFile: String?

    init(
        exchange: CurlExchange, settings: CurlSettings, curl: UnsafePointer<clover_curl>
    ) throws(HTTPTransportError) {
        self.curl = curl
        guard let handle = curl.pointee.curl_easy_init() else {
            throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), detail: "libcurl cannot create a handle")
        }
        self.exchange = exchange
        self.handle = handle
        certificateFile = settings.certificateFile
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try configure(settings)
    }

    deinit {
        curl.pointee.curl_easy_cleanup(handle)
        curl.pointee.curl_slist_free_all(headerList)
        errorText.deallocate()
        // The body may contain secrets, and freed memory is reused.
        body?.update(repeating: 0)
        body?.deallocate()
    }

    func resume() -> CURLcode {
        // May immediately call the write callback with data that libcurl held back (curl_easy_pause(3)).
        curl.pointee.curl_easy_pause(handle, CURLPAUSE_CONT)
    }

    /// Called when libcurl has done all it can for now. It sends a request right after `onDeparture`, but on an
    /// overloaded machine the thread may have been preempted in between.
    func noteDeparture() {
        guard isSending else { return }
        isSending = false
        exchange.departure.markSent()
    }

    /// Reports the transfer's `result` to the observer, then to the exchange: the program may exit as soon as the
    /// exchange ends.
    func finish(_ result: CURLcode) {
        let failure = result == CURLE_OK ? nil : failure(result)
        notifyObserver(failure)
        exchange.finish(failure.map { .failure($0) } ?? .success(()))
    }

    /// Ends the transfer with this error; called when Clover ends it, or all of them.
    func fail(_ error: HTTPTransportError) {
        notifyObserver(error)
        exchange.finish(.failure(error))
    }

    private func configure(_ settings: CurlSettings) throws(HTTPTransportError) {
        let request = exchange.request
        guard !request.hasDotSegment else { throw .other(code: 0, detail: "its path contains '.' or '..'") }
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // The service client decides about redirects: it never sends the token to another host.
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let file = settings.certificateFile { try set(CURLOPT_CAINFO, file) }
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // Plain HTTP stays on this machine: a proxy would carry the token elsewhere, unprotected.
        let isPlain = request.url.lowercased().hasPrefix("http://")
        if isPlain {
            try set(CURLOPT_NOPROXY, "*")
        } else if let proxy = ChildVariables.proxy {
            try set(CURLOPT_PROXY, proxy)
        }
        // Share one HTTP/2 connection rather than open a second one. Without TLS, libcurl cannot know that there will
        // be none, and all requests would wait for the response to the first.
        try set(CURLOPT_PIPEWAIT, isPlain ? 0 : 1)
        try set(CURLOPT_USERAGENT, settings.userAgent)
        try set(CURLOPT_CONNECTTIMEOUT, settings.connectTimeout)
        try set(CURLOPT_LOW_SPEED_LIMIT, CurlSettings.slowestSpeed)
        try set(CURLOPT_LOW_SPEED_TIME, settings.stallTimeout)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        try set(CURLOPT_BUFFERSIZE, 128 << 10)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try check(clover_curl_set_pointer(curl, handle, CURLOPT_ERRORBUFFER, errorText))

        try setMethod(request)
        // `ContentCoding` decompresses the body: libcurl would keep decompressed data in memory while a transfer is
        // paused.
        if let signature = request.signature {
            try set(CURLOPT_AWS_SIGV4, "aws:amz:\(signature.region):s3")
            try set(CURLOPT_USERNAME, signature.accessKeyID)
            try set(CURLOPT_PASSWORD, signature.secretAccessKey.exposed)
            if let token = signature.sessionToken { try addHeader("x-amz-security-token: \(token.exposed)") }
        } else {
            // Object stores return objects as they are, and proxies that change a signed header break the signature.
            try addHeader("Accept-Encoding: \(ContentCoding.accepted)")
        }
        if let bearer = request.bearer { try addHeader("Authorization: Bearer \(bearer.exposed)") }
        for header in request.headers { try addHeader("\(header.name): \(header.value)") }
        try check(clover_curl_set_list(curl, handle, CURLOPT_HTTPHEADER, headerList))

        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(clover_curl_set_data_callback(curl, handle, CURLOPT_HEADERFUNCTION, Self.onHeader))
        try check(clover_curl_set_pointer(curl, handle, CURLOPT_HEADERDATA, context))
        try check(clover_curl_set_data_callback(curl, handle, CURLOPT_WRITEFUNCTION, Self.onBody))
        try check(clover_curl_set_pointer(curl, handle, CURLOPT_WRITEDATA, context))
        try check(clover_curl_set_prereq_callback(curl, handle, Self.onDeparture))
        try check(clover_curl_set_pointer(curl, handle, CURLOPT_PREREQDATA, context))
        if request.observer?.wantsSentHead == true {
            try check(clover_curl_set_debug_callback(curl, handle, Self.onDebug))
            try check(clover_curl_set_pointer(curl, handle, CURLOPT_DEBUGDATA, context))
            try set(CURLOPT_VERBOSE, 1)
        }
    }

    /// The method and the body (CURLOPT_POSTFIELDS(3), CURLOPT_CUSTOMREQUEST(3)).
    private func setMethod(_ request: HTTPRequest) throws(HTTPTransportError) {
        if let content = request.body {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, content.bytes.count))
            _ = copy.initialize(from: content.bytes)
            body = copy
            try set(CURLOPT_POSTFIELDSIZE, content.bytes.count)
            try check(clover_curl_set_pointer(curl, handle, CURLOPT_POSTFIELDS, copy.baseAddress))
            try addHeader("Content-Type: \(content.contentType)")
            // Waiting for "100 Continue" costs a second with services that do not support it. libcurl 7.88 signs a header
            // that is removed.
            if request.signature == nil { try addHeader("Expect:") }
        } else if request.method == .post {
            try set(CURLOPT_POSTFIELDSIZE, 0)
            try set(CURLOPT_POST, 1)
        }
        if request.method != .get || request.body != nil {
            try set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func addHeader(_ line: String) throws(HTTPTransportError) {
        // A line break would inject another header field.
        guard !line.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }),
            let list = curl.pointee.curl_slist_append(headerList, line)
        else { throw .other(code: 0, detail: "a header field cannot be sent") }
        headerList = list
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPTransportError) {
        try check(clover_curl_set_long(curl, handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPTransportError) {
        try check(clover_curl_set_string(curl, handle, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTPTransportError) {
        guard code == CURLE_OK else {
            throw .other(code: Int(code.rawValue), detail: String(cString: clover_curl_easy_text(curl, code)))
        }
    }

    // MARK: - Callbacks from libcurl

    /// The connection, new or reused, is established, and the request is sent next (CURLOPT_PREREQFUNCTION(3)).
    ///
    /// libcurl itself resends a request if a reused connection is closed before the first byte of a response. That
    /// request would exceed the rate limit's grant, so the second attempt is refused here and becomes an error.
    private static let onDeparture: curl_prereq_callback = { context, _, _, _, _ in
        guard let context else { return CURL_PREREQFUNC_ABORT }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        transfer.sendAttempts += 1
        guard transfer.sendAttempts == 1 else { return CURL_PREREQFUNC_ABORT }
        let decision = transfer.exchange.departure.leave()
        transfer.decision = decision
        guard decision == .go else { return CURL_PREREQFUNC_ABORT }
        transfer.isSending = true
        return CURL_PREREQFUNC_OK
    }

    private static let onHeader: clover_curl_data_callback = { data, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        transfer.headSize += size * count
        guard transfer.headSize <= CurlTransfer.headLimit else { return 0 }
        transfer.receiveHeaderLine(UnsafeRawBufferPointer(start: data, count: size * count))
        return size * count
    }

    private static let onBody: clover_curl_data_callback = { data, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let isTaken = transfer.exchange.receive(UnsafeRawBufferPointer(start: data, count: size * count))
        return isTaken ? size * count : clover_curl_write_pause()
    }

    /// libcurl's debug output, of which only the sent head is used (CURLOPT_DEBUGFUNCTION(3)).
    private static let onDebug: curl_debug_callback = { _, kind, data, size, context in
        guard kind == CURLINFO_HEADER_OUT, let context, let data else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let head = String(decoding: UnsafeRawBufferPointer(start: data, count: size), as: UTF8.self)
        transfer.exchange.request.observer?.didSend(CurlFacts.headers(of: head))
        return 0
    }

    private func notifyObserver(_ failure: HTTPTransportError?) {
        guard let observer = exchange.request.observer else { return }
        observer.didEnd(CurlFacts(handle: handle, curl: curl).read(failure: failure))
    }

    /// One line of the head, including its line end; a new status line starts over (1xx responses,
    /// CURLOPT_HEADERFUNCTION(3)).
    private func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) {
        // Trailers arrive long after the head was delivered.
        guard !isHeadComplete else { return }
        let line = String(decoding: bytes, as: UTF8.self)
        let text = line.prefix { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
        if text.isEmpty {
            var code = 0
            _ = clover_curl_get_long(curl, handle, CURLINFO_RESPONSE_CODE, &code)
            guard code >= 200 else { return }
            isHeadComplete = true
            exchange.receive(status: code, headers: headers)
        } else if text.hasPrefix("HTTP/") {
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            var value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            // White space around a value is not part of it (RFC 9110, section 5.5).
            while value.last == " " || value.last == "\t" { value.removeLast() }
            headers.append(HTTPHeader(name: String(text[..<colon]), value: String(value)))
        }
    }

    // MARK: - Errors

    /// Converts libcurl's result to an error (libcurl-errors(3)).
    private func failure(_ code: CURLcode) -> HTTPTransportError {
        let explained = String(cString: errorText)
        let detail = explained.isEmpty ? String(cString: clover_curl_easy_text(curl, code)) : explained
        let host = HTTPRequest.host(of: exchange.request.url)
        switch decision {
        case .heldBack: return .heldBack
        case .withdrawn: return .cancelled
        case .go, nil: break
        }
        if isHeadTooLarge(code, explained) { return .headTooLarge(host: host) }
        if sendAttempts > 1 { return .connectionLost(host: host, detail: "closed before a response arrived") }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost(host, detail: detail)
        case CURLE_COULDNT_CONNECT: return .notConnected(host: host, detail: detail)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy(detail: detail)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(host: host, detail: detail)
        case CURLE_SSL_CACERT_BADFILE: return .certificateFile(path: certificateFile ?? "", detail: detail)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls(host: host, detail: detail)
        case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: return .cutOff(host: host, detail: detail)
        // libcurl before 8.6 has no other code for a head line that is too long.
        case CURLE_OUT_OF_MEMORY where !isHeadComplete, CURLE_WRITE_ERROR where headSize > Self.headLimit:
            return .notHTTP(host: host, detail: "the head of its response is too large")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: return .notHTTP(host: host, detail: detail)
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return isHeadComplete
                ? .cutOff(host: host, detail: detail) : .connectionLost(host: host, detail: detail)
        default: return .other(code: Int(code.rawValue), detail: detail)
        }
    }

    /// Whether libcurl failed because of a head beyond its limits, 100 KB for a line and 300 KB in total. Since 8.6 it
    /// has its own result for that (`CURLE_TOO_LARGE`); before, it used others.
    private func isHeadTooLarge(_ code: CURLcode, _ explained: String) -> Bool {
        guard sendAttempts > 0, !isHeadComplete else { return false }
        return code.rawValue == 100 || code == CURLE_OUT_OF_MEMORY || explained.hasPrefix("Too large response headers")
    }
}

/// Held by the reading task: when the task drops it, the transfer ends. The engine itself keeps the exchange alive, so
/// the exchange's own deinit could not do this.
final class CurlBodyHandle: HTTPBody {
    private let exchange: CurlExchange

    init(exchange: CurlExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        try await exchange.next()
    }

    func readAhead() {
        exchange.readAhead()
    }

    func cancel() {
        exchange.cancel()
    }
}
