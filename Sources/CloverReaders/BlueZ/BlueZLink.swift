import CloverDBus

/// A connection to BlueZ over the system bus, with a picture of its objects that stays up to date. BlueZ takes back
/// discoveries and notifications, but not links, when it is closed.
final class BlueZLink: Sendable {
    let state: Mailbox<BlueZState>
    private let bus: Bus
    /// Follows BlueZ's signals; cancelled by ``close()``.
    private let pump: Task<Void, Never>

    /// For calls that BlueZ answers at once.
    static let patience = Duration.seconds(10)

    /// Connects, hears signals from then on, and asks what there is.
    /// - Parameters:
    ///   - variables: of the environment; see `BusAddress.system(variables:)`.
    ///   - onBus: called when the bus itself has answered, and BlueZ is asked.
    static func open(
        variables: [String: String], onBus: () -> Void = {}
    ) async throws -> BlueZLink {
        var hasBus = false
        do throws(DBusError) {
            let bus = try await Bus.open(BusAddress.system(variables: variables))
            // One stream, because only that has the order in which things happened.
            let signals = try await bus.signals(
                matchingAny: [
                    MatchRule(sender: BlueZNames.service),
                    MatchRule(
                        sender: BlueZNames.bus, path: BlueZNames.busPath, interface: BlueZNames.bus,
                        member: "NameOwnerChanged", firstArgument: BlueZNames.service),
                ], within: patience)
            hasBus = true
            onBus()
            return BlueZLink(bus, signals: signals, objects: try await objects(bus))
        } catch .timedOut {
            throw ReaderError.bluetoothSilent(isBus: !hasBus)
        } catch {
            throw BlueZFailure.error(error, during: .reachingBluetooth)
        }
    }

    private init(_ bus: Bus, signals: AsyncThrowingStream<DBusSignal, any Error>, objects: BlueZObjects) {
        self.bus = bus
        let state = Mailbox(BlueZState(objects))
        self.state = state
        pump = Task { await Self.follow(signals, into: state) }
    }

    deinit { close() }

    /// Ends the connection; whoever waits for the state hears that it ended.
    func close() {
        pump.cancel()
        bus.close()
    }

    /// Calls a method of BlueZ.
    func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [],
        within limit: Duration = patience
    ) async throws(DBusError) -> [DBusValue] {
        try await bus.call(
            destination: BlueZNames.service, path: path, interface: interface, member: member, arguments: arguments,
            within: limit)
    }

    /// Asks BlueZ anew what there is, where its signals do not tell, or not yet. Where it cannot be asked, the picture
    /// stays as it is, and has the reason soon.
    func refresh() async throws(CancellationError) {
        var isTaken = false
        // Where signals never pause, the picture is as new as they are.
        for _ in 0..<Self.refreshes where !isTaken {
            let seen = state.look(\.signals)
            let objects: BlueZObjects
            do throws(DBusError) {
                objects = try await Self.objects(bus)
            } catch .cancelled {
                throw CancellationError()
            } catch {
                return
            }
            // A signal that overtook the answer may be newer.
            state.update { state in
                guard state.signals == seen else { return }
                state.objects = objects
                isTaken = true
            }
        }
    }

    private static let refreshes = 20

    private static func objects(_ bus: Bus) async throws(DBusError) -> BlueZObjects {
        let managed = try await bus.call(
            destination: BlueZNames.service, path: BlueZNames.root, interface: BlueZNames.objectManager,
            member: "GetManagedObjects", within: patience)
        guard let objects = BlueZObjects(managed: managed) else {
            throw .reply(name: "GetManagedObjects", text: "an answer that is no list of objects")
        }
        return objects
    }

    /// Signals that came before the list of objects are applied to it again; the last ones are as new as the list.
    private static func follow(
        _ signals: AsyncThrowingStream<DBusSignal, any Error>, into state: Mailbox<BlueZState>
    ) async {
        var end = ReaderError.noSystemBus(detail: "the connection was closed")
        do {
            for try await signal in signals { state.update { $0.apply(signal) } }
        } catch let error as DBusError {
            if let error = BlueZFailure.error(error, during: .reachingBluetooth) as? ReaderError { end = error }
        } catch {
            end = .noSystemBus(detail: "\(error)")
        }
        state.update { state in
            if state.end == nil { state.end = end }
        }
    }
}
