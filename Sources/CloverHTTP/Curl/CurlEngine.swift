package import CCurl
import CloverSystem
import Synchronization

/// Runs libcurl's multi interface on one thread. Other threads queue a command and wake it with `curl_multi_wakeup`,
/// the one call that any thread may make (libcurl-thread(3)).
///
/// If the thread cannot start, or libcurl fails as a whole, every exchange queued for it fails with the reason; the
/// next exchange tries again.
final class CurlEngine: Sendable {
    private let settings: CurlSettings
    private let platform: CurlPlatform
    private let queue = Mutex(Queue())

    private enum Command {
        case start(CurlExchange)
        case resume(CurlExchange)
        case cancel(CurlExchange)
    }

    private struct Queue {
        var commands: [Command] = []
        /// A thread is running or about to start: it executes the commands, or fails them.
        var isRunning = false
        var isStopped = false
        /// Wakes the running thread; nil before and after.
        var waker: CurlLoop.Waker?
    }

    init(settings: CurlSettings, platform: CurlPlatform) {
        self.settings = settings
        self.platform = platform
    }

    func start(_ exchange: CurlExchange) {
        let (mustStart, isStopped) = queue.withLock { queue in
            guard !queue.isStopped else { return (false, true) }
            defer { queue.isRunning = true }
            Self.enqueue(.start(exchange), in: &queue)
            return (!queue.isRunning, false)
        }
        if isStopped { exchange.finish(.failure(.cancelled)) }
        if mustStart { startThread() }
    }

    /// Continues a transfer that was paused because too much data was waiting.
    func resume(_ exchange: CurlExchange) {
        queue.withLock { if $0.isRunning { Self.enqueue(.resume(exchange), in: &$0) } }
    }

    func cancel(_ exchange: CurlExchange) {
        queue.withLock { if $0.isRunning { Self.enqueue(.cancel(exchange), in: &$0) } }
    }

    /// Ends the thread; transfers in progress end as cancelled.
    func stop() {
        queue.withLock { queue in
            queue.isStopped = true
            queue.waker?.wake()
        }
    }

    private static func enqueue(_ command: Command, in queue: inout Queue) {
        queue.commands.append(command)
        queue.waker?.wake()
    }

    private func startThread() {
        let errno = platform.startThread { self.run() }
        if errno != 0 { retire(nil, .other(code: Int(errno), detail: "cannot start a thread for network transfers")) }
    }

    private func run() {
        var loop: CurlLoop?
        var reason = HTTPTransportError.cancelled
        do throws(HTTPTransportError) {
            let made = try CurlLoop(settings: settings, curl: try platform.load().functions)
            loop = made
            queue.withLock { $0.waker = made.waker }
            while let commands = nextCommands() {
                for command in commands {
                    switch command {
                    case .start(let exchange): made.start(exchange)
                    case .resume(let exchange): made.resume(exchange)
                    case .cancel(let exchange): made.cancel(exchange)
                    }
                }
                try made.advance()
            }
        } catch {
            reason = error
        }
        retire(loop, reason)
    }

    /// Nil if the thread should end.
    private func nextCommands() -> [Command]? {
        queue.withLock { queue in
            if queue.isStopped { return nil }
            defer { queue.commands = [] }
            return queue.commands
        }
    }

    /// Marks the thread as ended. Its transfers and the queued ones fail with `reason`.
    private func retire(_ loop: CurlLoop?, _ reason: HTTPTransportError) {
        let commands = queue.withLock { queue in
            defer { queue.commands = [] }
            queue.isRunning = false
            // The handle is freed next and must not be woken.
            queue.waker = nil
            return queue.commands
        }
        loop?.end(reason)
        for case .start(let exchange) in commands { exchange.finish(.failure(reason)) }
    }
}

/// libcurl, loaded when the first request is made and kept until the process ends.
package final class CurlLibrary: @unchecked Sendable {
    // Unchecked: the table is filled in init, never written afterwards and never freed.
    let functions: UnsafePointer<clover_curl>

    /// Debian's libcurl4, by the name its interface has had since 2006.
    package static let fileName = "libcurl.so.4"

    private static let loaded = Result { () throws(HTTPTransportError) in try CurlLibrary() }

    /// The library, ready for use. The first call reads files, so make it on a thread that may block.
    package static func load() throws(HTTPTransportError) -> CurlLibrary {
        try loaded.get()
    }

    /// - Parameters:
    ///   - fileName: passed to dlopen(3).
    ///   - change: replaces functions of the library; for tests.
    package init(
        _ fileName: String = CurlLibrary.fileName, change: (UnsafeMutablePointer<clover_curl>) -> Void = { _ in }
    ) throws(HTTPTransportError) {
        // Binding every symbol of thirty libraries would take longer than a short request does; filling the table
        // checks that all functions used here exist.
        functions = try LoadedLibrary.functions(
            of: fileName, isLazy: true, fill: clover_curl_fill, missing: HTTPTransportError.libraryMissing)
        change(UnsafeMutablePointer(mutating: functions))
        let code = functions.pointee.curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        guard code == CURLE_OK else {
            throw .other(code: Int(code.rawValue), detail: String(cString: clover_curl_easy_text(functions, code)))
        }
    }
}
