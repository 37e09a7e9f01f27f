/// Readers behind a driver program. Each discovery and each session starts the program anew and sees to its end.
package struct ExternalDriver: CardDriver {
    private let command: DriverCommand
    private let variables: [String: String]
    private let limits: DriverLimits
    private let onErrorLine: @Sendable (String) -> Void

    /// - Parameters:
    ///   - variables: the environment of this process; the program gets it without its secrets.
    ///   - onErrorLine: takes each line of the program's standard error, from a thread of its own.
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
        _ filter: DiscoveryFilter, onSighting: @Sendable (ReaderSighting) async throws -> Bool
    ) async throws {
        let conversation = try await beginScan(filter)
        do {
            while true {
                let message = try await conversation.next()
                if let id = message.id { throw conversation.unasked(id) }
                guard message.event == "found", let reader = message.reader else { continue }
                if try await !onSighting(ReaderSighting(reader.value)) { break }
            }
        } catch {
            await conversation.close(saying: .stopScan)
            throw error
        }
        await conversation.close(saying: .stopScan)
    }

    /// A scan that was cancelled before it began found nobody because nobody answered, which is something else than an
    /// empty room.
    private func beginScan(_ filter: DiscoveryFilter) async throws -> DriverConversation {
        var awaited = "hello"
        do {
            let (conversation, _) = try await open(for: DriverConversation.scanning)
            awaited = "scan"
            do {
                _ = try await conversation.result(.scan(allDevices: filter.includesAllDevices))
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

    /// Begins a session that takes payments.
    package func session(to id: String, timeout: Double) async throws -> ExternalSession {
        let (conversation, capabilities) = try await open(for: DriverConversation.connecting)
        do {
            let answer = try await conversation.ask(
                .connect(id, timeout: timeout), patience: timeout + limits.answer)
            if let refusal = answer.error { throw conversation.error(refusal, of: id, during: .connecting) }
            guard let reader = answer.result?.reader?.value, reader.id == id else {
                throw conversation.failed(
                    .violation(rule: "the answer to 'connect' has the 'reader' that was asked for"))
            }
            return ExternalSession(
                conversation, reader, takesPayments: capabilities.contains(DriverConversation.charging))
        } catch {
            await conversation.close(saying: .disconnect)
            throw error
        }
    }

    package func payment(externalID: String) async throws -> CardLookup {
        let (conversation, capabilities) = try await open(for: DriverConversation.charging)
        do {
            let result = try await conversation.result(.payment(externalID: externalID))
            let lookup: CardLookup
            do {
                lookup = try result.cardLookup(
                    externalID: externalID, isRecordLasting: capabilities.contains(DriverConversation.recalling))
            } catch {
                throw conversation.failed(error)
            }
            await conversation.close()
            return lookup
        } catch {
            await conversation.close()
            throw error
        }
    }

    /// Starts the program; returns its capabilities too.
    private func open(for capability: String) async throws -> (DriverConversation, [String]) {
        let (conversation, hello) = try await DriverConversation.open(
            command, variables: variables, limits: limits, onErrorLine: onErrorLine)
        let capabilities = hello.capabilities ?? []
        guard capabilities.contains(capability) else {
            await conversation.close()
            throw conversation.failed(.lacks(capability: capability))
        }
        return (conversation, capabilities)
    }
}

/// What is demanded of a driver program; the numbers are those of clover-reader-driver(5).
package struct DriverLimits: Sendable, Equatable {
    /// Seconds until a request is answered, and until something is heard after a silence.
    package var answer: Double
    /// Seconds for each step of its end: the last answer, the end of its own accord, the end by SIGTERM.
    package var ending: Double
    /// Seconds that a charge may go on after it was asked to end: a card may be in the middle of its payment.
    package var cancellation: Double
    /// The longest line in bytes.
    package var line: Int
    /// The most lines in a second.
    package var linesPerSecond: Int

    package init(
        answer: Double = 10, ending: Double = 1, cancellation: Double = 90, line: Int = 64 << 10,
        linesPerSecond: Int = 2000
    ) {
        self.cancellation = cancellation
        self.answer = answer
        self.ending = ending
        self.line = line
        self.linesPerSecond = linesPerSecond
    }

    /// Lines that are held for a reader who is busy; then the driver has to wait.
    static let heldLines = 256
    /// The most lines before the answer to a request, so that a driver that talks past it is not heard for ever.
    static let linesBeforeAnswer = 4000
    /// Of its standard error.
    static let errorLine = 1000
    static let errorLines = 1000
}
