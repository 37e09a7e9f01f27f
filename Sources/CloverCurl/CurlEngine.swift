import CCurl
import CloverHTTP
import CloverThreads
import Synchronization

/// The thread that runs libcurl's multi interface. Only this thread touches the multi handle and the easy handles
/// (libcurl-thread(3)); everybody else leaves a command and wakes it with `curl_multi_wakeup`, which is the one call
/// that any thread may make.
final class CurlEngine: Sendable {
    private let settings: CurlSettings
    private let inbox = Mutex(Inbox())

    private enum Command {
        case start(CurlExchange)
        case resume(CurlExchange)
        case cancel(CurlExchange)
    }

    private struct Inbox {
        var commands: [Command] = []
        var isRunning = false
        var isStopped = false
        /// The running thread's multi handle, to wake it; nil before and after.
        var multi: WakeHandle?
    }

    /// A multi handle of which only `curl_multi_wakeup` is used outside its thread, under the inbox's lock, so it
    /// cannot be freed in between.
    // @unchecked: see above; using it for anything else would break libcurl's threading rules.
    private struct WakeHandle: @unchecked Sendable {
        var multi: UnsafeMutableRawPointer
        var curl: UnsafePointer<clover_curl>

        func wake() {
            _ = curl.pointee.curl_multi_wakeup(multi)
        }
    }

    init(settings: CurlSettings) {
        self.settings = settings
    }

    func start(_ exchange: CurlExchange) {
        leave(.start(exchange))
    }

    /// Goes on with a transfer that was paused because too much was waiting.
    func resume(_ exchange: CurlExchange) {
        leave(.resume(exchange))
    }

    func cancel(_ exchange: CurlExchange) {
        leave(.cancel(exchange))
    }

    /// Ends the thread; transfers under way end as cancelled.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopped = true
            wake(inbox)
        }
    }

    private func leave(_ command: Command) {
        let mustStart = inbox.withLock { inbox in
            if inbox.isStopped { return false }
            inbox.commands.append(command)
            if inbox.isRunning {
                wake(inbox)
                return false
            }
            guard case .start = command else { return false }
            inbox.isRunning = true
            return true
        }
        if mustStart { startThread() }
    }

    private func wake(_ inbox: borrowing Inbox) {
        inbox.multi?.wake()
    }

    private func startThread() {
        do throws(DedicatedThread.StartError) {
            // A write to a closed connection must come back as an error, not end the program by SIGPIPE: the thread
            // has its signals blocked.
            try DedicatedThread.start(name: "clover-curl") { self.run() }
        } catch {
            failEverything(.other(code: Int(error.errno), detail: "no thread for network transfers"))
        }
    }

    private func run() {
        let curl: UnsafePointer<clover_curl>
        do throws(HTTPTransportError) {
            curl = try CurlLibrary.load().functions
        } catch {
            failEverything(error)
            return
        }
        guard let multi = curl.pointee.curl_multi_init() else {
            failEverything(.other(code: Int(CURLE_OUT_OF_MEMORY.rawValue), detail: "libcurl cannot start"))
            return
        }
        // Connections beyond this are closed when idle.
        _ = clover_curl_multi_set_long(curl, multi, CURLMOPT_MAXCONNECTS, 16)
        inbox.withLock { $0.multi = WakeHandle(multi: multi, curl: curl) }

        var transfers: [ObjectIdentifier: CurlTransfer] = [:]
        while true {
            let (commands, isStopped) = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isStopped)
            }
            for command in commands { obey(command, curl, multi: multi, transfers: &transfers) }
            if isStopped { break }

            var running: Int32 = 0
            _ = curl.pointee.curl_multi_perform(multi, &running)
            for transfer in transfers.values {
                transfer.noteDeparture()
                transfer.exchange.handOver()
            }
            reap(curl, multi: multi, transfers: &transfers)
            // With nothing to do this waits until somebody calls curl_multi_wakeup; libcurl shortens the wait to its
            // own next time-out (curl_multi_poll(3)).
            _ = curl.pointee.curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
        for transfer in transfers.values {
            transfer.remove(from: multi)
            transfer.cancel()
        }
        inbox.withLock { $0.multi = nil }
        _ = curl.pointee.curl_multi_cleanup(multi)
    }

    private func obey(
        _ command: Command, _ curl: UnsafePointer<clover_curl>, multi: UnsafeMutableRawPointer,
        transfers: inout [ObjectIdentifier: CurlTransfer]
    ) {
        switch command {
        case .start(let exchange):
            do throws(HTTPTransportError) {
                let transfer = try CurlTransfer(exchange: exchange, settings: settings, curl: curl)
                try transfer.add(to: multi)
                transfers[ObjectIdentifier(exchange)] = transfer
            } catch {
                exchange.finish(.failure(error))
            }
        case .resume(let exchange):
            transfers[ObjectIdentifier(exchange)]?.resume()
        case .cancel(let exchange):
            guard let transfer = transfers.removeValue(forKey: ObjectIdentifier(exchange)) else { return }
            transfer.remove(from: multi)
            transfer.cancel()
        }
    }

    private func reap(
        _ curl: UnsafePointer<clover_curl>, multi: UnsafeMutableRawPointer,
        transfers: inout [ObjectIdentifier: CurlTransfer]
    ) {
        var remaining: Int32 = 0
        while let message = curl.pointee.curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let result = clover_curl_message_result(message)
            let easy = message.pointee.easy_handle
            guard let entry = transfers.first(where: { $0.value.handle == easy }) else { continue }
            transfers[entry.key] = nil
            entry.value.finish(result)
            entry.value.remove(from: multi)
        }
    }

    private func failEverything(_ error: HTTPTransportError) {
        let commands = inbox.withLock { inbox in
            inbox.isStopped = true
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for case .start(let exchange) in commands { exchange.finish(.failure(error)) }
    }
}
