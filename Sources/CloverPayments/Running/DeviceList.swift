import CloverAPI
import CloverHTTP

/// The merchant's devices.
package enum DeviceList {
    /// Whether a device with this serial number is one of them; nil when the service does not tell.
    package static func has(_ serial: String, _ client: PaymentClient, merchantID: String) async -> Bool? {
        let request = ServiceRequest(.get, client.hosts.api + "/v3/merchants/\(merchantID)/devices?limit=1000")
        guard case .answer(let status, let body) = await client.exchange(request), (200...299).contains(status),
            let devices = JSONTree(body)?["elements"]?.list
        else { return nil }
        // A full page may not be all of them.
        if devices.contains(where: { $0["serial"]?.string == serial }) { return true }
        return devices.count < 1000 ? false : nil
    }
}
