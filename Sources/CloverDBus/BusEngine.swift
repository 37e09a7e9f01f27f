import CLinux
import CloverThreads
import Glibc
import Synchronization

/// The thread of one connection, and the way for tasks to reach it. It ends when it is told to stop, or with the
/// connection.
final class BusEngine: Sendable {
    enum Command: Sendable {
        case call(MethodCall, Answer<[DBusValue]>, Deadline)
        case subscribe(SignalSubscription, Deadline)
        case unsubscribe(SignalSubscription)
        /// Some answer is not wanted any more.
        case look
    }

    private struct Inbox {
        var commands: [Command] = []
        var isStopped = false
        /// Why there is no connection any more.
        var ending: DBusError?
    }

    private let inbox = Mutex(Inbox())
    private let wake: WakeDescriptor

    init() throws(DBusError) {
        wake = try WakeDescriptor()
    }

    /// Starts the thread, which loads the library and connects.
    func start(_ address: BusAddress, libraryName: String, opened: Answer<Void>, deadline: Deadline) {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-dbus") {
                let ending = self.run(address, libraryName: libraryName, opened: opened, deadline: deadline)
                self.close(ending)
            }
        } catch {
            opened.give(.failure(.system(call: "pthread_create", errno: error.errno)))
            close(.system(call: "pthread_create", errno: error.errno))
        }
    }

    func leave(_ command: Command) {
        let ending = inbox.withLock { inbox in
            if inbox.ending == nil { inbox.commands.append(command) }
            return inbox.ending
        }
        if let ending { Self.refuse(command, ending) } else { wake.wake() }
    }

    /// Ends the thread; whoever still waits hears ``DBusError/disconnected``.
    func stop() {
        inbox.withLock { $0.isStopped = true }
        wake.wake()
    }

    /// - Returns: why it ended.
    private func run(
        _ address: BusAddress, libraryName: String, opened: Answer<Void>, deadline: Deadline
    ) -> DBusError {
        let connection: BusConnection
        do throws(DBusError) {
            let library = try SystemdLibrary.named(libraryName)
            connection = try BusConnection(address, library: library, opened: opened, deadline: deadline)
        } catch {
            opened.give(.failure(error))
            return error
        }
        do throws(DBusError) {
            while true {
                let (commands, isStopped) = inbox.withLock { inbox in
                    defer { inbox.commands = [] }
                    return (inbox.commands, inbox.isStopped)
                }
                if isStopped {
                    for command in commands { Self.refuse(command, .disconnected) }
                    throw .disconnected
                }
                for command in commands { obey(command, connection) }
                if try !connection.process() { try connection.wait(or: wake) }
            }
        } catch {
            connection.end(error)
            return error
        }
    }

    private func obey(_ command: Command, _ connection: BusConnection) {
        switch command {
        case .call(let call, let answer, let deadline): connection.start(call, answer: answer, deadline: deadline)
        case .subscribe(let subscription, let deadline): connection.start(subscription, deadline: deadline)
        case .unsubscribe(let subscription): connection.end(subscription)
        case .look: break
        }
    }

    private func close(_ error: DBusError) {
        let commands = inbox.withLock { inbox in
            inbox.ending = error
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in commands { Self.refuse(command, error) }
    }

    private static func refuse(_ command: Command, _ error: DBusError) {
        switch command {
        case .call(_, let answer, _): answer.give(.failure(error))
        case .subscribe(let subscription, _): subscription.end(error)
        case .unsubscribe, .look: break
        }
    }
}

/// Wakes the bus thread out of poll(2): an eventfd(2), closed with the object.
final class WakeDescriptor: Sendable {
    /// Readable after somebody called ``wake()``.
    let number: Int32

    init() throws(DBusError) {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw .system(call: "eventfd", errno: errno) }
        number = descriptor
    }

    deinit { close(number) }

    /// Never blocks: a counter that is full is readable already.
    func wake() {
        while eventfd_write(number, 1) != 0, errno == EINTR {}
    }

    /// Makes it wait for the next wake.
    func reset() {
        var count: eventfd_t = 0
        while eventfd_read(number, &count) != 0, errno == EINTR {}
    }
}

/// The moment at which several calls together must be done. Time in which the machine sleeps does not count.
package struct Deadline: Sendable {
    /// What was allowed in all.
    package let limit: Duration
    private let end: SuspendingClock.Instant

    /// - Parameter limit: from now.
    package init(after limit: Duration) {
        self.limit = limit
        end = SuspendingClock.now.advanced(by: limit)
    }

    /// Negative when it has passed.
    package var remaining: Duration { SuspendingClock.now.duration(to: end) }

    /// The earlier of this one and one that begins now.
    func shortened(to limit: Duration) -> Deadline {
        remaining <= limit ? self : Deadline(after: limit)
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }

    /// For poll(2): rounded up, so that nobody wakes just before the time; 0 when it has passed.
    var pollMilliseconds: Int32 {
        guard self > .zero else { return 0 }
        return Int32(min((self / .milliseconds(1)).rounded(.up), 3_600_000))
    }
}
