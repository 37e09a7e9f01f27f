package import CloverAPI
import CloverHTTP
import CloverJSON
import FoundationEssentials

/// The merchant's own Clover devices (Flex, Mini, Station), through the service: API v3 lists them, and REST Pay Display
/// shows which of them respond. Throws what `ServiceClient` throws, besides `ReaderError`.
package struct CloudDriver: ReaderDriver {
    package let transport = ReaderTransport.cloud
    private let list: CloudDeviceList
    private let display: PayDisplay
    private let pollInterval: Double
    private let sleep: @Sendable (Double) async throws -> Void

    /// Number of devices pinged at the same time; below the limit of concurrent requests of a token.
    private static let concurrentPings = 4

    /// The default name of this program for the devices.
    package static let defaultPOSID = "clover"

    /// - Parameters:
    ///   - posID: the name of this program for the devices (`X-POS-Id`).
    ///   - pollInterval: seconds between two checks whether a session's device still responds.
    ///   - sleep: waits this many seconds; throws when cancelled.
    package init(
        client: ServiceClient, merchantID: String, posID: String = defaultPOSID, pollInterval: Double = 15,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        list = CloudDeviceList(client: client, merchantID: merchantID)
        display = PayDisplay(client: client, posID: posID)
        self.pollInterval = pollInterval
        self.sleep = sleep
    }

    /// Reports each device once, when it is known whether it responds; a device that does is live. Returns when all devices
    /// have been pinged.
    package func discover(
        allDevices: Bool, onSighting: @Sendable (DiscoveredReader) async throws -> Bool
    ) async throws {
        let devices = try await list.read()
        try await withThrowingTaskGroup(of: DiscoveredReader.self) { group in
            defer { group.cancelAll() }
            var waiting = devices[...]
            for device in waiting.prefix(Self.concurrentPings) { group.addTask { try await ping(device) } }
            waiting = waiting.dropFirst(Self.concurrentPings)
            while let sighting = try await group.next() {
                guard try await onSighting(sighting) else { return }
                if let device = waiting.popFirst() { group.addTask { try await ping(device) } }
            }
        }
    }

    /// Checks that the device responds. `timeout` covers the requests to the service and the device.
    package func connect(to id: String, timeout: Double) async throws -> any ReaderSession {
        try await OperationTimeout.run(
            .seconds(timeout), otherwise: .timedOut(.connecting, reader: id, seconds: timeout)
        ) { [self] in
            guard let device = try await list.device(called: id) else { throw ReaderError.unknownReader(id) }
            guard let serial = device.serial, !serial.isEmpty else {
                throw ReaderError.notReader(id, missing: "serial number")
            }
            guard try await display.isConnected(serial) else { throw ReaderError.notAnswering(id) }
            if let word = try await display.busyState(serial) {
                throw ReaderError.failed(id, code: word, detail: "the device is busy with another request")
            }
            return CloudSession(
                device.reader, serial: serial, display: display, pollInterval: pollInterval, sleep: sleep)
        }
    }

    private func ping(_ device: CloudDevice) async throws -> DiscoveredReader {
        guard let serial = device.serial, !serial.isEmpty else { return DiscoveredReader(device.reader, isLive: false) }
        return DiscoveredReader(device.reader, isLive: try await display.isConnected(serial))
    }
}

/// One of the merchant's Clover devices, from `/v3/merchants/{mId}/devices` (model `device.Device`).
struct CloudDevice: Sendable, Equatable, Decodable {
    let id: String
    let name: String?
    /// The hardware model, such as `Clover_C406`.
    let model: String?
    /// The serial number by which Pay Display addresses the device; a device without one cannot be reached.
    let serial: String?
    /// The product name, such as `Flex`.
    let productName: String?
    let deviceTypeName: String?
    /// The build number of the device's system.
    let buildNumber: Int64?

    func isCalled(_ word: String) -> Bool {
        id == word || serial == word || name == word
    }

    var reader: Reader {
        Reader(
            id: id, transport: .cloud, name: name ?? productName ?? deviceTypeName,
            firmware: buildNumber.map { String($0) }, serial: serial, model: productName ?? model)
    }
}

/// Reads the merchant's devices from the service.
struct CloudDeviceList: Sendable {
    let client: ServiceClient
    let merchantID: String

    /// All devices.
    ///
    /// - Throws: `ReaderError.devicesIncomplete` if devices may be missing; `ServiceError`.
    func read() async throws -> [CloudDevice] {
        var devices: [CloudDevice] = []
        try await read {
            devices.append($0)
            return .more
        }
        return devices
    }

    /// The device of this ID, serial number or name; nil if the merchant has none. Throws as `read`, unless it is found.
    func device(called word: String) async throws -> CloudDevice? {
        var found: CloudDevice?
        try await read {
            guard $0.isCalled(word) else { return .more }
            found = $0
            return .stop
        }
        return found
    }

    private func read(_ deliver: (CloudDevice) -> RecordFlow) async throws {
        let path = try ResourcePath(parsing: "devices", identifier: nil, merchantID: merchantID, isChecked: true)
        // The list has no times, so it needs no clock.
        let pager = RecordPager(client: client, path: path, query: RecordQuery(), isChecked: true, now: 0)
        var isFound = false
        let plan = PagePlan(offset: 0, limit: nil, pageSize: path.pageSize)
        let summary = try await pager.run(plan: plan) { batch in
            for record in batch.records {
                let device: CloudDevice
                do {
                    device = try JSONDecoder().decode(CloudDevice.self, from: Data(batch.bytes[record.range]))
                } catch is DecodingError {
                    throw ServiceError.unreadable(
                        .noElements, url: Redaction.url(client.url(path: path.encoded, query: "")), retries: 0)
                }
                isFound = deliver(device) == .stop
                if isFound { return .stop }
            }
            return .more
        }
        guard isFound || summary.isWhole else { throw ReaderError.devicesIncomplete }
    }
}
