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
            guard let device = try await list.read().first(where: { $0.isCalled(id) }) else {
                throw ReaderError.unknownReader(id)
            }
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

    /// The largest page that the service returns.
    private static let pageSize = 1000
    private static let pageLimit = 16 << 20

    private struct Page: Decodable {
        let elements: [CloudDevice]
    }

    /// All devices.
    /// - Throws: `ServiceError`.
    func read() async throws -> [CloudDevice] {
        var devices: [CloudDevice] = []
        var attempt = ServiceClient.Attempt()
        while true {
            let url = client.url(
                path: "/v3/merchants/\(merchantID)/devices", query: "limit=\(Self.pageSize)&offset=\(devices.count)")
            do {
                let page = try await page(url, &attempt)
                devices += page
                if page.count < Self.pageSize { return devices }
                attempt = ServiceClient.Attempt()
            } catch let error as HTTPTransportError {
                try await client.recover(from: error, url: url, attempt: &attempt)
            }
        }
    }

    private func page(_ url: String, _ attempt: inout ServiceClient.Attempt) async throws -> [CloudDevice] {
        let body = try await client.body(of: url, limit: Self.pageLimit, attempt: &attempt)
        do {
            return try JSONDecoder().decode(Page.self, from: Data(body)).elements
        } catch is DecodingError {
            throw ServiceError.unreadable(.noElements, url: Redaction.url(url), retries: attempt.retries)
        }
    }
}
