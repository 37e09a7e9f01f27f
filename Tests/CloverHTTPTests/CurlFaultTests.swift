import CCurl
import CloverHTTP
import Glibc
import Synchronization
import Testing

/// Each thing that the transport asks libcurl or the machine for fails in turn: every request ends, with an error where
/// it cannot be carried out, and none is dropped.
@Suite("failures below the transport", .serialized, .timeLimit(.minutes(2)))
struct CurlFaultTests {
    typealias Table = UnsafeMutablePointer<clover_curl>

    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isHarmless = false
        let change: @Sendable (Table) -> Void
    }

    /// Calls of the function that fails at its second call only.
    private static let calls = Atomic(0)

    /// Puts a function in place of a variadic one, which Swift does not import: the table has one pointer after the other, in
    /// the order of CLOVER_CURL_FUNCTIONS. The caller removes the arguments that the new function does not look at.
    private static func fail(_ index: Int, in table: Table, _ function: @convention(c) () -> UInt32) {
        UnsafeMutableRawPointer(table).storeBytes(
            of: unsafeBitCast(function, to: UInt.self), toByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
    }

    static let faults = [
        Fault(testDescription: "curl_global_init") { $0.pointee.curl_global_init = { _ in CURLE_FAILED_INIT } },
        Fault(testDescription: "curl_easy_init") { $0.pointee.curl_easy_init = { nil } },
        Fault(testDescription: "curl_easy_setopt") { fail(2, in: $0) { CURLE_OUT_OF_MEMORY.rawValue } },
        Fault(testDescription: "curl_easy_getinfo") { fail(3, in: $0) { CURLE_UNKNOWN_OPTION.rawValue } },
        Fault(testDescription: "curl_multi_init") { $0.pointee.curl_multi_init = { nil } },
        Fault(testDescription: "curl_multi_setopt") { fail(8, in: $0) { UInt32(CURLM_OUT_OF_MEMORY.rawValue) } },
        Fault(testDescription: "curl_multi_add_handle") {
            $0.pointee.curl_multi_add_handle = { _, _ in CURLM_OUT_OF_MEMORY }
        },
        Fault(testDescription: "curl_multi_remove_handle", isHarmless: true) {
            $0.pointee.curl_multi_remove_handle = { _, _ in CURLM_INTERNAL_ERROR }
        },
        Fault(testDescription: "curl_multi_perform") {
            $0.pointee.curl_multi_perform = { _, _ in CURLM_INTERNAL_ERROR }
        },
        Fault(testDescription: "curl_multi_perform, the second time") {
            calls.store(0, ordering: .relaxed)
            $0.pointee.curl_multi_perform = { multi, running in
                if CurlFaultTests.calls.add(1, ordering: .relaxed).newValue > 1 { return CURLM_INTERNAL_ERROR }
                return CurlFaultTests.genuine?.pointee.curl_multi_perform(multi, running) ?? CURLM_INTERNAL_ERROR
            }
        },
        Fault(testDescription: "curl_multi_poll") {
            $0.pointee.curl_multi_poll = { _, _, _, _, _ in CURLM_UNRECOVERABLE_POLL }
        },
        Fault(testDescription: "curl_multi_wakeup") { $0.pointee.curl_multi_wakeup = { _ in CURLM_WAKEUP_FAILURE } },
        Fault(testDescription: "curl_multi_wakeup, from the second time on", isHarmless: true) {
            calls.store(0, ordering: .relaxed)
            $0.pointee.curl_multi_wakeup = { _ in
                CurlFaultTests.calls.add(1, ordering: .relaxed).newValue > 1 ? CURLM_WAKEUP_FAILURE : CURLM_OK
            }
        },
        Fault(testDescription: "curl_multi_info_read") { $0.pointee.curl_multi_info_read = { _, _ in nil } },
        Fault(testDescription: "curl_slist_append") { $0.pointee.curl_slist_append = { _, _ in nil } },
    ]

    /// Filled once, and never written again.
    nonisolated(unsafe) private static let genuine: UnsafePointer<clover_curl>? = {
        let table = Table.allocate(capacity: 1)
        guard let library = dlopen(CurlLibrary.fileName, RTLD_LAZY | RTLD_LOCAL),
            clover_curl_fill(table, library) == nil
        else { return nil }
        return UnsafePointer(table)
    }()

    @Test("a call of libcurl that fails ends every request", arguments: faults)
    func libraryCall(_ fault: Fault) async throws {
        var platform = CurlPlatform()
        let library = Result { () throws(HTTPTransportError) in try CurlLibrary(change: fault.change) }
        platform.load = { () throws(HTTPTransportError) in try library.get() }
        let results = try await Self.results(platform)
        for result in results { #expect((result == nil) == fault.isHarmless, "\(String(describing: result))") }
    }

    @Test("a library that is missing, or is another one, ends every request, the later ones too")
    func library() async throws {
        for (name, detail) in [("libclover-missing.so.1", "libclover-missing.so.1"), ("libz.so.1", "has no curl_")] {
            var platform = CurlPlatform()
            platform.load = { () throws(HTTPTransportError) in try CurlLibrary(name) }
            for result in try await Self.results(platform) {
                guard case .libraryMissing(let text) = result else {
                    Issue.record("\(String(describing: result))")
                    continue
                }
                #expect(text.contains(detail))
            }
        }
    }

    @Test("a thread that cannot start ends every request; when it can again, requests are carried out")
    func thread() async throws {
        var platform = CurlPlatform()
        let start = platform.startThread
        let isShort = Mutex(true)
        platform.startThread = { body in isShort.withLock(\.self) ? EAGAIN : start(body) }
        for result in try await Self.results(platform) {
            #expect(result == .other(code: Int(EAGAIN), detail: "cannot start a thread for network transfers"))
        }
        let server = try RawServer { _ in .answer }
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"), platform: platform)
        #expect(await Self.result(transport, server.url + "/") != nil)
        isShort.withLock { $0 = false }
        #expect(await Self.result(transport, server.url + "/") == nil)
    }

    @Test("a transfer that cannot go on after a pause ends with an error")
    func pause() async throws {
        var platform = CurlPlatform()
        let library = Result { () throws(HTTPTransportError) in
            try CurlLibrary { $0.pointee.curl_easy_pause = { _, _ in CURLE_OUT_OF_MEMORY } }
        }
        platform.load = { () throws(HTTPTransportError) in try library.get() }
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n"
        let server = try RawServer { _ in .send(Array(head.utf8) + Array(repeating: 0x20, count: 64 << 20)) }
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"), platform: platform)
        #expect(await Self.result(transport, server.url + "/") == .other(code: 27, detail: "Out of memory"))
    }

    @Test("a service that sends one blank after the other does not hold a transfer for ever")
    func drip() async throws {
        let server = try RawServer { _ in .drip }
        var settings = CurlSettings(userAgent: "test")
        settings.stallTimeout = 1
        let result = await Self.result(CurlTransport(settings: settings), server.url + "/")
        guard case .timedOut = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }

    @Test("a path from which libcurl would remove dots is not sent", arguments: ["/a/..", "/a/./b", "/../a?b"])
    func dots(_ path: String) async throws {
        let server = try RawServer { _ in .answer }
        let result = await Self.result(CurlTransport(settings: CurlSettings(userAgent: "test")), server.url + path)
        #expect(result == .other(code: 0, detail: "its path contains '.' or '..'"))
        #expect(await server.arrivals().isEmpty)
    }

    /// What became of three requests at a time and of one after them; nil stands for a whole response.
    private static func results(_ platform: CurlPlatform) async throws -> [HTTPTransportError?] {
        let server = try RawServer { _ in .answer }
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"), platform: platform)
        var results = await withTaskGroup(of: HTTPTransportError?.self) { group in
            for _ in 0..<3 { group.addTask { await result(transport, server.url + "/") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        results.append(await result(transport, server.url + "/"))
        return results
    }

    private static func result(_ transport: CurlTransport, _ url: String) async -> HTTPTransportError? {
        do throws(HTTPTransportError) {
            let response = try await transport.send(HTTPRequest(url: url), departure: SendGate(), onEnd: {})
            while try await response.body.next() != nil {}
            return nil
        } catch {
            return error
        }
    }
}
