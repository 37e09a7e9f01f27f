import CloverAuth
import CloverJSON
import CloverOutput
package import CloverReaders
import CloverSystem
import Synchronization

/// Starts a session with the reader that the user chose.
package struct ReaderConnection: Sendable {
    /// An id or a name; nil for the most recently connected reader.
    package var reader: String?
    package var drivers = ReaderDriverChoice()
    package var connection: ConnectionChoice
    /// Timeout for the link, in seconds.
    package var timeout = defaultTimeout

    package static let defaultTimeout = 30.0

    package init(connection: ConnectionChoice = ConnectionChoice()) {
        self.connection = connection
    }

    package static let command = "reader connect"

    /// Starts a session, unless another process uses a reader. An id that the driver does not know is tried as a name.
    ///
    /// - Parameter command: the command that other processes see as the holder of the reader.
    package func begin(
        _ target: Reader, command: String, in environment: CommandEnvironment
    ) async throws -> LockedReaderSession {
        let driver = try await drivers.make(target.transport, in: environment)
        do {
            return try await begin(target, by: driver, command: command, in: environment)
        } catch ReaderError.unknownReader(let id) where target.name == nil {
            guard let named = try await Self.reader(named: id, among: driver, in: environment) else {
                throw ReaderError.unknownReader(id)
            }
            return try await begin(named, by: driver, command: command, in: environment)
        }
    }

    private func begin(
        _ target: Reader, by driver: any ReaderDriver, command: String, in environment: CommandEnvironment
    ) async throws -> LockedReaderSession {
        let work = environment.criticalWork
        return try await LockedReaderSession.begin(
            target, by: driver, command: command, timeout: timeout,
            on: LockedReaderSession.Host(state: try environment.stateDirectory(), now: environment.clock.wall) {
                if $0 { work.begin() } else { work.end() }
            })
    }

    /// Finds the chosen reader. Throws if there is no sign-in.
    package func target(in environment: CommandEnvironment) async throws -> Reader {
        let status = try await SignInStatus.current(connection, in: environment)
        guard status.isLoggedIn else { throw CoreError.notSignedIn(connection) }
        let known = KnownReaders(environment)
        let named = drivers.named
        guard let reader else {
            let all = try await known.all()
            if let last = all.first(where: { named == nil || $0.reader.transport == named }) { return last.reader }
            guard let named, let last = all.first else { throw ReaderError.noPreviousReader }
            return Reader(id: last.reader.id, transport: named)
        }
        if let known = try await known.reader(named: reader, by: named) { return known.reader }
        return Reader(id: reader, transport: try await drivers.usual(in: environment))
    }

}

extension ReaderConnection {
    /// Timeout in seconds for finding a reader by its name.
    private static let searchTimeout = 5.0

    /// Finds a reader by its name; nil if none is in range.
    static func reader(
        named name: String, among driver: any ReaderDriver, in environment: CommandEnvironment
    ) async throws -> Reader? {
        let match = NameMatch()
        // Discovery is stopped before this returns, even if a signal ends it.
        try await environment.criticalWork.cleaningUp {
            do {
                try await search(for: name, among: driver, match, sleep: environment.sleep)
            } catch let error as ReaderError {
                // If the user cancelled, the driver's error does not matter.
                try Task.checkCancellation()
                throw error
            }
        }
        return match.reader
    }

    private static func search(
        for name: String, among driver: any ReaderDriver, _ match: NameMatch,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await driver.discover(allDevices: true) { match.take($0.reader, named: name) == nil }
            }
            group.addTask { try await sleep(searchTimeout) }
            try await group.next()
            group.cancelAll()
            do {
                try await group.waitForAll()
            } catch is CancellationError {
                try Task.checkCancellation()
            }
        }
    }

    /// The first discovered reader with the name.
    private final class NameMatch: Sendable {
        private let seen = Mutex<Reader?>(nil)

        var reader: Reader? { seen.withLock { $0 } }

        func take(_ reader: Reader, named name: String) -> Reader? {
            seen.withLock { seen in
                if seen == nil, reader.name?.lowercased() == name.lowercased() { seen = reader }
                return seen
            }
        }
    }
}

extension SessionReport {
    /// The report as a line of text, with the state in its colour.
    package func text(isColored: Bool) -> String {
        let style = isColored ? ColumnMeaning.state.style(of: state) : nil
        return Diagnostics.printable(name ?? reader) + "  " + (style?.applied(to: shownState) ?? shownState)
            + Diagnostics.printable(details) + "\n"
    }

    /// The state may come from another program, so control characters are removed.
    private var shownState: String { Diagnostics.printable(state) }

    private var details: String {
        var text = ""
        if let progress { text += "  \(Int((progress * 100).rounded())) %" }
        if let battery { text += "  battery \(battery) %" }
        if let firmware, event == .state, state == ReaderState.ready.rawValue { text += "  firmware \(firmware)" }
        return text
    }
}
