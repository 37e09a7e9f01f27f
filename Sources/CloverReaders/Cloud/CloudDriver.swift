package import CloverAPI
import CloverHTTP
import CloverRecords
import FoundationEssentials

/// The merchant's own Clover devices (Flex, Mini, Station), through the service: the list is V3's, and REST Pay Display
/// tells which of them answer. Besides `ReaderError` it throws what `ServiceClient` throws.
package struct CloudDriver: ReaderDriver {
    package let transport = ReaderTransport.cloud
    private let list: CloudDeviceList
    private let display: PayDisplay
    private let pollInterval: Double
    private let sleep: @Sendable (Double) async throws -> Void

    /// Devices asked at the same time whether they are there; below the requests in flight that a token may have.
    private static let pingsAtOnce = 4

    /// What this program is called when nothing else is said.
    package static let usualPosID = "clover"

    /// - Parameters:
    ///   - posID: names this program to the devices (`X-POS-Id`).
    ///   - pollInterval: seconds between two looks whether a device of a session is still there.
    ///   - sleep: waits for so many seconds; throws when cancelled.
    package init(
        client: ServiceClient, merchantID: String, posID: String = usualPosID, pollInterval: Double = 15,
        sleep: @escaping @Sendable (Double) async throws -> Void
    ) {
        list = CloudDeviceList(client: client, merchantID: merchantID)
        display = PayDisplay(client: client, posID: posID)
        self.pollInterval = pollInterval
        self.sleep = sleep
    }

    /// Each device is told once, when it is known whether it answers: one that does is live. Returns when all have been
    /// asked.
    package func discover(
        _ filter: DiscoveryFilter, onSighting: @Sendable (ReaderSighting) async throws -> Bool
    ) async throws {
        let devices = try await list.read()
        try await withThrowingTaskGroup(of: ReaderSighting.self) { group in
            defer { group.cancelAll() }
            var waiting = devices[...]
            for device in waiting.prefix(Self.pingsAtOnce) { group.addTask { try await look(at: device) } }
            waiting = waiting.dropFirst(Self.pingsAtOnce)
            while let sighting = try await group.next() {
                guard try await onSighting(sighting) else { return }
                if let device = waiting.popFirst() { group.addTask { try await look(at: device) } }
            }
        }
    }

    /// Proves that the device answers. `timeout` covers the questions to the service and the device.
    package func connect(to id: String, timeout: Double) async throws -> any ReaderSession {
        try await TimeAllowed.run(
            .seconds(timeout), otherwise: .timedOut(.connecting, reader: id, seconds: timeout)
        ) { [self] in
            guard let device = try await list.read().first(where: { $0.isCalled(id) }) else {
                throw ReaderError.unknownReader(id)
            }
            guard let serial = device.serial, !serial.isEmpty else {
                throw ReaderError.notReader(id, missing: "serial number")
            }
            guard try await display.isConnected(serial) else { throw ReaderError.notAnswering(id) }
            if case .busy(let word) = try await display.state(serial) {
                throw ReaderError.failed(id, code: word, detail: "the device is at another request")
            }
            return CloudSession(
                device.reader, serial: serial, display: display, pollInterval: pollInterval, sleep: sleep)
        }
    }

    private func look(at device: CloudDevice) async throws -> ReaderSighting {
        guard let serial = device.serial, !serial.isEmpty else { return ReaderSighting(device.reader, isLive: false) }
        return ReaderSighting(device.reader, isLive: try await display.isConnected(serial))
    }
}

/// One of the merchant's Clover devices, as `/v3/merchants/{mId}/devices` lists them (model `device.Device`).
struct CloudDevice: Sendable, Equatable, Decodable {
    let id: String
    let name: String?
    /// The word for the kind of hardware, such as `Clover_C406`.
    let model: String?
    /// By which Pay Display knows it; a device without one takes no calls.
    let serial: String?
    /// What a person calls the kind, such as `Flex`.
    let productName: String?
    let deviceTypeName: String?
    /// Of its system.
    let buildNumber: Int64?

    /// By id, serial number or name.
    func isCalled(_ word: String) -> Bool {
        id == word || serial == word || name == word
    }

    var reader: Reader {
        Reader(
            id: id, transport: .cloud, name: name ?? productName ?? deviceTypeName,
            firmware: buildNumber.map { String($0) }, serial: serial, model: productName ?? model)
    }
}

/// The merchant's devices, from the service.
struct CloudDeviceList: Sendable {
    let client: ServiceClient
    let merchantID: String

    /// The most that the service gives in a page.
    private static let pageSize = 1000
    private static let pageLimit = 16 << 20

    private struct Page: Decodable {
        let elements: [CloudDevice]
    }

    /// All of them.
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

/// What a device says it is at, in the words of Clover's Remote Pay models; there may be more of them.
enum CloudDeviceState: Sendable, Equatable {
    case free
    /// With another request; the word as it came.
    case busy(String)

    init(word: String?) {
        switch word {
        case "BUSY", "WAITING_FOR_CUSTOMER": self = .busy(word ?? "")
        // WAITING_FOR_POS only shows the end of an earlier request. Any other word is no reason not to try.
        default: self = .free
        }
    }
}
