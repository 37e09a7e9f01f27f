import CLinux
import CloverSystem
import Glibc
import Synchronization

/// The thread of one connection, and its command queue. It ends when it is stopped, or with the connection.
final class BusEngine: Sendable {
    enum Command: Sendable {
        case call(MethodCall, Promise<[DBusValue]>, Deadline)
        case subscribe(SignalSubscription, Deadline)
        case unsubscribe(SignalSubscription)
        /// Check again which results are still wanted.
        case recheck
    }

    private struct Queue {
        var commands: [Command] = []
        var isStopped = false
        /// Why the connection ended.
        var ending: DBusError?
    }

    private let queue = Mutex(Queue())
    private let wake: WakeDescriptor

    init() throws(DBusError) {
        wake = try WakeDescriptor()
    }

    /// Starts the thread, which loads the library and connects.
    func start(_ address: BusAddress, libraryName: String, opened: Promise<Void>, deadline: Deadline) {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-dbus") {
                let ending = self.run(address, libraryName: libraryName, opened: opened, deadline: deadline)
                self.close(ending)
            }
        } catch {
            opened.resolve(.failure(.system(call: "pthread_create", errno: error.errno)))
            close(.system(call: "pthread_create", errno: error.errno))
        }
    }

    func enqueue(_ command: Command) {
        let ending = queue.withLock { queue in
            if queue.ending == nil { queue.commands.append(command) }
            return queue.ending
        }
        if let ending { Self.refuse(command, ending) } else { wake.wake() }
    }

    /// Ends the thread; everything that still waits fails with ``DBusError/disconnected``.
    func stop() {
        queue.withLock { $0.isStopped = true }
        wake.wake()
    }

    /// - Returns: why it ended.
    private func run(
        _ address: BusAddress, libraryName: String, opened: Promise<Void>, deadline: Deadline
    ) -> DBusError {
        let connection: BusConnection
        do throws(DBusError) {
            let library = try SystemdLibrary.named(libraryName)
            connection = try BusConnection(address, library: library, opened: opened, deadline: deadline)
        } catch {
            opened.resolve(.failure(error))
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
        case .call(let call, let promise, let deadline): connection.start(call, promise: promise, deadline: deadline)
        case .subscribe(let subscription, let deadline): connection.start(subscription, deadline: deadline)
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
        case .call(_, let promise, _): promise.resolve(.failure(error))
        case .subscribe(let subscription, _): subscription.end(error)
        case .unsubscribe, .recheck: break
        }
    }
}

/// Wakes the bus thread from poll(2): an eventfd(2), closed with the object.
final class WakeDescriptor: Sendable {
    /// Readable after ``wake()``.
    let number: Int32

    init() throws(DBusError) {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        number = descriptor
    }

    deinit { close(number) }

    /// Never blocks: if the counter is full, the descriptor is already readable.
    func wake() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Clears the event.
    func reset() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}

/// The time at which several calls together must be complete. Time during which the machine is suspended does not
/// count.
package struct Deadline: Sendable {
    /// The time allowed in total.
    package let limit: Duration
    private let end: SuspendingClock.Instant

    /// - Parameter limit: from now.
    package init(after limit: Duration) {
        self.limit = limit
        end = SuspendingClock.now.advanced(by: limit)
    }

    /// Negative once it has passed.
    package var remaining: Duration { SuspendingClock.now.duration(to: end) }

    /// The earlier of this deadline and one that starts now.
    func shortened(to limit: Duration) -> Deadline {
        remaining <= limit ? self : Deadline(after: limit)
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }

    /// For poll(2): rounded up, so that it does not wake just before the time; 0 if it has passed.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        return Int32(min((self / .milliseconds(1)).rounded(.up), 3_600_000))
    }
}
