import CCurl

/// A multi handle and its transfers. Used only on the engine's thread, the only one that may use the multi handle and
/// the easy handles (libcurl-thread(3)).
final class CurlLoop {
    private let settings: CurlSettings
    private let curl: UnsafePointer<clover_curl>
    private let multi: UnsafeMutableRawPointer
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

    /// Longest sleep of the thread in milliseconds. libcurl shortens it to its own next timeout, and a command ends it
    /// (curl_multi_poll(3)); the limit covers a wake-up call that failed.
    private static let longestSleep: Int32 = 1000
    /// Connections beyond this number are closed when idle.
    private static let connectionLimit = 16

    /// A multi handle, for calling `curl_multi_wakeup` only.
    // @unchecked: the engine holds it under a lock, and removes it before the handle is freed; any other use would
    // break libcurl's threading rules.
    struct Waker: @unchecked Sendable {
        fileprivate let multi: UnsafeMutableRawPointer
        fileprivate let curl: UnsafePointer<clover_curl>

        func wake() {
            // A failed call delays the wake-up by up to `longestSleep`.
            _ = curl.pointee.curl_multi_wakeup(multi)
        }
    }

    var waker: Waker { Waker(multi: multi, curl: curl) }

    init(settings: CurlSettings, curl: UnsafePointer<clover_curl>) throws(HTTPTransportError) {
        guard let multi = curl.pointee.curl_multi_init() else {
            throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), detail: "libcurl cannot start")
        }
        self.settings = settings
        self.curl = curl
        self.multi = multi
        do throws(HTTPTransportError) {
            try check(clover_curl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, Self.connectionLimit))
            // Without descriptors for this, libcurl starts anyway, and no command would be noticed in time.
            try check(curl.pointee.curl_multi_wakeup(multi))
        } catch {
            _ = curl.pointee.curl_multi_cleanup(multi)
            throw error
        }
    }

    /// Starts a transfer, unless its exchange ended while it was queued.
    func start(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        do throws(HTTPTransportError) {
            let transfer = try CurlTransfer(exchange: exchange, settings: settings, curl: curl)
            try check(curl.pointee.curl_multi_add_handle(multi, transfer.handle))
            transfers[ObjectIdentifier(exchange)] = transfer
        } catch {
            exchange.finish(.failure(error))
        }
    }

    func resume(_ exchange: CurlExchange) {
        guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
        let code = transfer.resume()
        // Otherwise it would never resume.
        if code != CURLE_OK { end(ObjectIdentifier(exchange)) { $0.finish(code) } }
    }

    func cancel(_ exchange: CurlExchange) {
        end(ObjectIdentifier(exchange)) { $0.fail(.cancelled) }
    }

    /// Lets libcurl do all it can for now, then sleeps until there is more to do.
    ///
    /// - Throws: if libcurl has failed as a whole; it must then not be called again (libcurl-errors(3)).
    func advance() throws(HTTPTransportError) {
        var running: Int32 = 0
        try check(curl.pointee.curl_multi_perform(multi, &running))
        for transfer in transfers.values {
            transfer.noteDeparture()
            transfer.exchange.deliver()
        }
        reap()
        // Every transfer is either running, or its end was reported.
        guard running > 0 || transfers.isEmpty else {
            throw .other(code: 0, detail: "libcurl does not report how a transfer ended")
        }
        try check(curl.pointee.curl_multi_poll(multi, nil, 0, Self.longestSleep, nil))
    }

    /// Ends all transfers and frees the handle.
    func end(_ reason: HTTPTransportError) {
        for key in Array(transfers.keys) { end(key) { $0.fail(reason) } }
        _ = curl.pointee.curl_multi_cleanup(multi)
    }

    private func reap() {
        var remaining: Int32 = 0
        while let message = curl.pointee.curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let result = clover_curl_message_result(message)
            let easy = message.pointee.easy_handle
            guard let key = transfers.first(where: { $0.value.handle == easy })?.key else { continue }
            end(key) { $0.finish(result) }
        }
    }

    private func end(_ key: ObjectIdentifier, _ how: (CurlTransfer) -> Void) {
        guard let transfer = transfers.removeValue(forKey: key) else { return }
        how(transfer)
        // If this fails, curl_easy_cleanup(3) removes the handle when the transfer is freed.
        _ = curl.pointee.curl_multi_remove_handle(multi, transfer.handle)
    }

    private func check(_ code: CURLMcode) throws(HTTPTransportError) {
        guard code == CURLM_OK else {
            throw .other(code: Int(code.rawValue), detail: String(cString: clover_curl_multi_text(curl, code)))
        }
    }
}
