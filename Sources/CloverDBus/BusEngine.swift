import CloverSystem
import Glibc
import Synchronization

/// The thread of one connection, and its command queue. It ends when it is stopped, or with the connection.
final class BusEngine: Sendable {
    enum Command: Sendable {
        case call(MethodCall)
        case subscribe(SignalSubscription)
        case unsubscribe(SignalSubscription)
        /// Check again which results are still wanted.
        case recheck
    }

    private struct Queue {
        var commands: [Command] = []
        var isStopped = false
        var ending: DBusError?
    }

    private let queue = Mutex(Queue())
    private let wake: EventFD

    init() throws(DBusError) {
        do {
            wake = try EventFD()
        } catch {
            throw .system(call: "eventfd", errno: error.code)
        }
    }

    /// Starts the thread, which loads the library and connects.
    func start(_ address: BusAddress, libraryName: String, _ opening: BusOpening) {
        let errno = DedicatedThread.tryStart(name: "clover-dbus") {
            self.close(self.run(address, libraryName: libraryName, opening))
        }
        guard errno != 0 else { return }
        let error = DBusError.system(call: "pthread_create", errno: errno)
        opening.outcome.settle(.failure(error))
        close(error)
    }

    func enqueue(_ command: Command) {
        let ending = queue.withLock { queue in
            if queue.ending == nil { queue.commands.append(command) }
            return queue.ending
        }
        if let ending { Self.refuse(command, ending) } else { wake.signal() }
    }

    /// Ends the thread; everything that still waits fails with ``DBusError/disconnected``.
    func stop() {
        queue.withLock { $0.isStopped = true }
        wake.signal()
    }

    /// - Returns: why it ended.
    private func run(_ address: BusAddress, libraryName: String, _ opening: BusOpening) -> DBusError {
        let connection: BusConnection
        do throws(DBusError) {
            let library = try SystemdLibrary.named(libraryName)
            connection = try BusConnection(address, library: library, opening)
        } catch {
            opening.outcome.settle(.failure(error))
            return error
        }
        do throws(DBusError) {
            while true {
                let (commands, isStopped) = queue.withLock { queue in
                    defer { queue.commands = [] }
                    return (queue.commands, queue.isStopped)
                }
                if isStopped {
                    for command in commands { Self.refuse(command, .disconnected) }
                    throw .disconnected
                }
                for command in commands { execute(command, connection) }
                if try !connection.process() { try connection.wait(or: wake) }
            }
        } catch {
            connection.end(error)
            return error
        }
    }

    private func execute(_ command: Command, _ connection: BusConnection) {
        switch command {
        case .call(let call): connection.start(call)
        case .subscribe(let subscription): connection.start(subscription)
        case .unsubscribe(let subscription): connection.end(subscription)
        case .recheck: break
        }
    }

    private func close(_ error: DBusError) {
        let commands = queue.withLock { queue in
            queue.ending = error
            defer { queue.commands = [] }
            return queue.commands
        }
        for command in commands { Self.refuse(command, error) }
    }

    private static func refuse(_ command: Command, _ error: DBusError) {
        switch command {
        case .call(let call): call.reply.settle(.failure(error))
        case .subscribe(let subscription): subscription.end(error)
        case .unsubscribe, .recheck: break
        }
    }
}

/// The time at which several calls together must be complete. Time during which the machine is suspended does not
/// count.
package struct Deadline: Sendable {
    package let limit: Duration
    private let end: SuspendingClock.Instant

    /// - Parameter limit: from now.
    package init(after limit: Duration) {
        self.limit = limit
        end = SuspendingClock.now.advanced(by: limit)
    }

    /// Negative once it has passed.
    package var remaining: Duration { SuspendingClock.now.duration(to: end) }

    /// The earlier of a deadline that starts now, and that of a larger task.
    init(within limit: Duration, until deadline: Deadline?) {
        if let deadline, deadline.remaining <= limit {
            self = deadline
        } else {
            self.init(after: limit)
        }
    }

    /// The error for a call of this method, once it has passed.
    func error(for member: String) -> DBusError? {
        remaining <= .zero ? .timedOut(member: member, seconds: limit / .seconds(1)) : nil
    }
}

extension Duration {
    /// For poll(2): rounded up, so that it does not wake just before the time; 0 if it has passed.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        return Int32(min((self / .milliseconds(1)).rounded(.up), 3_600_000))
    }
}
