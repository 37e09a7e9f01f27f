import CCurl
import CloverHTTP
import Synchronization

/// Runs libcurl's multi interface on one thread. Other threads leave a command and wake it with `curl_multi_wakeup`,
/// which is the one call that any thread may make (libcurl-thread(3)).
///
/// When the thread cannot start, or libcurl fails as a whole, every exchange that was given to it fails with the reason;
/// the next exchange tries anew.
final class CurlEngine: Sendable {
    private let settings: CurlSettings
    private let platform: CurlPlatform
    private let inbox = Mutex(Inbox())

    private enum Command {
        case start(CurlExchange)
        case resume(CurlExchange)
        case cancel(CurlExchange)
    }

    private struct Inbox {
        var commands: [Command] = []
        /// There is a thread, or one is about to start: it takes the commands, or fails them.
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
        let (mustStart, isStopped) = inbox.withLock { inbox in
            guard !inbox.isStopped else { return (false, true) }
            defer { inbox.isRunning = true }
            Self.leave(.start(exchange), in: &inbox)
            return (!inbox.isRunning, false)
        }
        if isStopped { exchange.finish(.failure(.cancelled)) }
        if mustStart { startThread() }
    }

    /// Goes on with a transfer that was paused because too much was waiting.
    func resume(_ exchange: CurlExchange) {
        inbox.withLock { if $0.isRunning { Self.leave(.resume(exchange), in: &$0) } }
    }

    func cancel(_ exchange: CurlExchange) {
        inbox.withLock { if $0.isRunning { Self.leave(.cancel(exchange), in: &$0) } }
    }

    /// Ends the thread; transfers under way end as cancelled.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopped = true
            inbox.waker?.wake()
        }
    }

    private static func leave(_ command: Command, in inbox: inout Inbox) {
        inbox.commands.append(command)
        inbox.waker?.wake()
    }

    private func startThread() {
        let errno = platform.startThread { self.run() }
        if errno != 0 { retire(nil, .other(code: Int(errno), detail: "no thread for network transfers")) }
    }

    private func run() {
        var loop: CurlLoop?
        var reason = HTTPTransportError.cancelled
        do throws(HTTPTransportError) {
            let made = try CurlLoop(settings: settings, curl: try platform.load().functions)
            loop = made
            inbox.withLock { $0.waker = made.waker }
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

    /// Nil when the thread is to end.
    private func nextCommands() -> [Command]? {
        inbox.withLock { inbox in
            if inbox.isStopped { return nil }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    /// There is no thread from now on. What it was given, and what waits, fails with `reason`.
    private func retire(_ loop: CurlLoop?, _ reason: HTTPTransportError) {
        let commands = inbox.withLock { inbox in
            defer { inbox.commands = [] }
            inbox.isRunning = false
            // What is freed next must not be woken.
            inbox.waker = nil
            return inbox.commands
        }
        loop?.end(reason)
        for case .start(let exchange) in commands { exchange.finish(.failure(reason)) }
    }
}
