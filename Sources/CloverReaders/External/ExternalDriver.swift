/// Readers that a driver program manages. Each discovery and each session starts the program, and ends it.
package struct ExternalDriver: ReaderDriver {
    package let command: DriverCommand
    private let variables: [String: String]
    let limits: DriverLimits
    private let onErrorLine: @Sendable (String) -> Void

    /// - Parameters:
    ///   - variables: the environment of this process; the program receives it without secrets.
    ///   - onErrorLine: receives each line of the program's standard error, on a separate thread.
    package init(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits = DriverLimits(),
        onErrorLine: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.variables = variables
        self.limits = limits
        self.onErrorLine = onErrorLine
    }

    package var transport: ReaderTransport { .driver }

    package func discover(
        allDevices: Bool, onSighting: @Sendable (DiscoveredReader) async throws -> Bool
    ) async throws {
        let conversation = try await beginScan(allDevices: allDevices)
        do {
            while true {
                let message = try await conversation.next()
                if let id = message.id { throw conversation.unasked(id) }
                guard message.event == "found", let reader = message.reader else { continue }
                if try await !onSighting(DiscoveredReader(reader.value)) { break }
            }
        } catch {
            await conversation.close(saying: .stopScan)
            throw error
        }
        await conversation.close(saying: .stopScan)
    }

    /// Starts a scan. If it is cancelled before it started, it throws an error instead of reporting that no readers are
    /// there, because the driver never responded.
    private func beginScan(allDevices: Bool) async throws -> DriverConversation {
        var awaited = "hello"
        do {
            let conversation = try await open(for: .scan)
            awaited = "scan"
            do {
                _ = try await conversation.result(.scan(allDevices: allDevices))
            } catch {
                await conversation.close(saying: .stopScan)
                throw error
            }
            return conversation
        } catch is CancellationError {
            throw ReaderError.driver(.unready(request: awaited), program: command.name)
        }
    }

    package func connect(to id: String, timeout: Double) async throws -> any ReaderSession {
        try await session(to: id, timeout: timeout)
    }

    /// Starts a session that can take payments.
    package func session(to id: String, timeout: Double) async throws -> ExternalSession {
        let conversation = try await open(for: .connect)
        do {
            let response = try await conversation.ask(
                .connect(id, timeout: timeout), timeout: timeout + limits.answer)
            if let refusal = response.error { throw conversation.error(refusal, of: id, during: .connecting) }
            guard let reader = response.result?.reader?.value, reader.id == id else {
                throw conversation.violated("the response to 'connect' has the requested 'reader'")
            }
            return ExternalSession(conversation, reader)
        } catch {
            await conversation.close(saying: .disconnect)
            throw error
        }
    }

    /// Looks up a charge by its `externalPaymentID`, also one of an earlier run, and without a session.
    package func payment(externalID: String) async throws -> CardLookup {
        let conversation = try await open(for: .charge)
        do {
            let lookup = try await conversation.lookUp(externalID)
            await conversation.close()
            return lookup
        } catch {
            await conversation.close()
            throw error
        }
    }

    /// Starts the program and completes the handshake.
    func open() async throws -> DriverConversation {
        try await DriverConversation.open(command, variables: variables, limits: limits, onErrorLine: onErrorLine)
    }

    /// Starts the program, which must have the capability.
    private func open(for capability: DriverConversation.Capability) async throws -> DriverConversation {
        let conversation = try await open()
        guard conversation.can(capability) else {
            await conversation.close()
            throw conversation.failed(.lacks(capability: capability.rawValue))
        }
        return conversation
    }
}

/// The limits for a driver program, from clover-reader-driver(5).
package struct DriverLimits: Sendable, Equatable {
    /// Seconds for the response to a request, and for a sign of life after a silence.
    package let answer: Double
    /// Seconds for each step of ending it: the last response, exiting on its own, exiting after SIGTERM.
    package let ending: Double
    /// Seconds that a charge may continue after it was cancelled: a card payment may be in progress.
    package let cancellation: Double
    /// Seconds that a charge may continue after its reader was lost.
    package let loss: Double
    /// Maximum length of a line in bytes.
    package let line = 64 << 10
    package let linesPerSecond = 2000

    package init(answer: Double = 10, ending: Double = 1, cancellation: Double = 90, loss: Double = 5) {
        self.loss = loss
        self.cancellation = cancellation
        self.answer = answer
        self.ending = ending
    }

    /// Number of lines that are buffered while the caller is busy; then the driver has to wait.
    static let bufferedLines = 256
    /// Maximum number of lines before the response to a request, so that a driver that keeps writing others fails.
    static let maximumLinesBeforeResponse = 4000
    /// Maximum length of a line of standard error in bytes, and maximum number of such lines.
    static let errorLine = 1000
    static let errorLines = 1000
}
