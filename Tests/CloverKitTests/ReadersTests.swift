import CloverKit
import CloverKitReaders
import CloverTestSupport
import Testing

@Suite("readers of CloverKit")
struct ReadersTests {
    /// The emulated readers of seed 1: one is ready for use, one needs firmware and keys, and the battery of one is too low.
    private static let (usable, outdated, weak) = ("D4:22:CD:A8:43:CC", "D4:22:CD:36:0B:AC", "D4:22:CD:C5:14:13")

    private let directory: TemporaryDirectory
    private let shop: Shop

    init() throws {
        directory = try TemporaryDirectory()
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        // No service listens there: a session with a reader sends no requests to Clover.
        shop = try Shop(token: "token", merchantID: "M1", environment: "http://127.0.0.1:1", options: options)
    }

    private func readers(_ flags: String = "") throws -> Readers {
        let program = try CommandRunner.builtProgram("clover-emulator")
        return Readers(for: shop, over: .driver("'\(program)' reader-driver --pace 0.1 --seed 1 \(flags)"))
    }

    private func found(_ id: String, by readers: Readers) async throws -> CardReader {
        for try await reader in readers.scan(for: .seconds(60)) where reader.id == id { return reader }
        throw CommandError.unreadable("no reader \(id)")
    }

    @Test("a reader is found, connected, followed, and connected again without its id")
    func life() async throws {
        let readers = try readers()
        #expect(try await readers.previous().isEmpty)
        let seen = try await found(Self.usable, by: readers)
        #expect(seen.name == "Clover_Go_475634" && seen.isInRange && (seen.signalStrength ?? 0) < 0)
        #expect(readers.connectedReader == nil)
        let statuses = readers.status
        let connected = try await readers.connect(seen)
        #expect(connected.id == seen.id && connected.serial != nil && connected.firmware != nil)
        #expect(readers.connectedReader == connected)
        for await battery in readers.battery {
            // The current level comes first.
            #expect(battery.map { (1...100).contains($0) } == true)
            break
        }
        // Another program, or another value, has to wait until the reader is free.
        let busy = await #expect(throws: CardReaderError.self) { try await readers.connect() }
        #expect(busy?.kind == .inUse)
        let taken = await #expect(throws: CardReaderError.self) { try await self.readers().connect(seen) }
        #expect(taken?.kind == .inUse)
        await readers.disconnect()
        #expect(readers.connectedReader == nil)
        var passed: [ReaderStatus] = []
        for await status in statuses {
            passed.append(status)
            if passed.count > 1, status == .disconnected(nil) { break }
        }
        #expect(passed == [.disconnected(nil), .initializing, .ready, .disconnected(nil)])
        #expect(try await readers.previous().map(\.id) == [seen.id])
        #expect(try await readers.connect().id == seen.id)
        await readers.disconnect()
    }

    @Test("an update of firmware and keys shows its progress")
    func update() async throws {
        let readers = try readers()
        let statuses = readers.status
        try await readers.connect(try await found(Self.outdated, by: readers))
        var progress: [Double] = []
        for await status in statuses {
            if case .updatingFirmware(let share?) = status { progress.append(share) }
            if status == .ready { break }
        }
        #expect(!progress.isEmpty && progress.allSatisfy { (0...1).contains($0) })
        await readers.disconnect()
    }

    @Test("no firmware is begun with a battery that may not last, and the status says why there is no connection")
    func weak() async throws {
        let readers = try readers()
        let reader = try await found(Self.weak, by: readers)
        let error = await #expect(throws: CardReaderError.self) { try await readers.connect(reader) }
        #expect(error?.kind == .batteryTooLow && error?.message.contains("battery is too low") == true)
        for await status in readers.status {
            #expect(status == .disconnected(error))
            break
        }
    }

    @Test("a connection that is lost ends with its reason, and leaves the reader free")
    func lost() async throws {
        let readers = try readers("--fault drop@1")
        let statuses = readers.status
        let reader = try await found(Self.usable, by: readers)
        try await readers.connect(reader)
        var last = ReaderStatus.initializing
        for await status in statuses {
            last = status
            if case .disconnected(_?) = status { break }
        }
        guard case .disconnected(let error?) = last else {
            Issue.record("\(last)")
            return
        }
        #expect(error.kind == .lost)
        #expect(readers.connectedReader == nil)
        let healthy = try self.readers()
        try await healthy.connect(reader)
        await healthy.disconnect()
    }

    @Test("a cancelled connection leaves the reader free")
    func cancelled() async throws {
        let readers = try readers()
        let reader = try await found(Self.outdated, by: readers)
        let task = Task { try await readers.connect(reader) }
        for await status in readers.status {
            if case .updatingFirmware = status { break }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(readers.connectedReader == nil)
        let usable = try await found(Self.usable, by: readers)
        try await readers.connect(usable)
        await readers.disconnect()
    }

    @Test("without a reference, the connection and its sequences end, and the reader is free")
    func unreferenced() async throws {
        let (reader, statuses) = try await connected()
        var last: ReaderStatus?
        for await status in statuses { last = status }
        #expect(last == .disconnected(nil))
        let others = try readers()
        try await others.connect(reader)
        await others.disconnect()
    }

    private func connected() async throws -> (CardReader, AsyncStream<ReaderStatus>) {
        let readers = try readers()
        return (try await readers.connect(try await found(Self.usable, by: readers)), readers.status)
    }

    @Test("what cannot be used is named: no driver, no such reader, none before")
    func trouble() async throws {
        for command in ["", "'open", "/nonexistent/driver"] {
            let error = await #expect(throws: CardReaderError.self) {
                for try await _ in Readers(for: shop, over: .driver(command)).scan() {}
            }
            #expect(error?.kind == .unavailable, "\(command)")
        }
        let none = await #expect(throws: CardReaderError.self) { try await readers().connect() }
        #expect(none?.kind == .noReader && none?.nextStep.contains("scan") == true)
        let away = try readers("--fault out-of-range@1")
        let reader = try await found(Self.usable, by: try readers())
        let absent = await #expect(throws: CardReaderError.self) { try await away.connect(reader) }
        #expect(absent?.kind == .noReader)
    }

    @Test("a reader that is not in range is found only if it is asked for")
    func absent() async throws {
        // A device without a serial number cannot be reached.
        let server = try LoopbackServer { request, _ in
            .page((request.values(of: "offset").first ?? "0") == "0" ? [#"{"id":"D1","name":"Patio"}"#] : [])
        }
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let shop = try Shop(token: "T", merchantID: "M1", environment: server.url, options: options)
        let readers = Readers(for: shop, over: .devices)
        for try await reader in readers.scan(for: .seconds(60)) { Issue.record("\(reader)") }
        var found: [CardReader] = []
        for try await reader in readers.scan(for: .seconds(60), includingAbsent: true) { found.append(reader) }
        #expect(found.map(\.id) == ["D1"] && found.first?.isInRange == false)
    }

    @Test("the merchant's devices are found at the service, and the scan ends when all were asked")
    func devices() async throws {
        let emulator = try await EmulatorProcess(["--orders", "3", "--no-limits"])
        var options = Shop.Options()
        options.stateDirectory = directory["state"]
        let shop = try Shop(
            token: emulator.accessToken, merchantID: emulator.merchantID, environment: emulator.url, options: options)
        let readers = Readers(for: shop, over: .devices)
        var found: [CardReader] = []
        for try await reader in readers.scan(for: .seconds(60)) { found.append(reader) }
        let device = try #require(found.first { $0.isInRange })
        #expect(device.serial != nil && device.signalStrength == nil && device.battery == nil)
        try await readers.connect(device)
        #expect(readers.connectedReader?.id == device.id)
        await readers.disconnect()
        try await emulator.stop()
        let error = await #expect(throws: CardReaderError.self) {
            for try await _ in readers.scan(for: .milliseconds(300)) {}
        }
        #expect(error?.kind == .timedOut)
    }
}
