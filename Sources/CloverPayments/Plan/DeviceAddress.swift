import CloverAPI
import FoundationEssentials

/// Where a device is in the local network (Clover: REST Pay Display, local connection).
package enum DeviceAddress {
    /// The port that devices listen on.
    private static let port = 12346

    /// The base address, without `/connect`: `192.168.1.20` and `https://192.168.1.20:12346/connect` are the same. Plain
    /// http reaches this machine only.
    package static func base(_ text: String) throws(PlanRefusal) -> String {
        guard !text.isEmpty else { throw .malformedDeviceAddress }
        let address = text.contains("://") ? text : "https://" + text
        guard let parts = URLComponents(string: address), parts.port == nil, text.contains("://") == false else {
            return try checked(address)
        }
        return try checked("https://\(text):\(port)")
    }

    private static func checked(_ text: String) throws(PlanRefusal) -> String {
        do throws(QueryError) {
            let base = try ServiceEnvironment(parsing: text).apiBaseURL
            return base.hasSuffix("/connect") ? String(base.dropLast("/connect".count)) : base
        } catch {
            throw .malformedDeviceAddress
        }
    }
}
