import CloverAPI
import CloverHTTP
import CloverRecords
import FoundationEssentials

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
