import CloverHTTP

// What the service's refusals say about the token.

extension ServiceClient {
    /// Whether the service accepts our token for this URL: false for 401 and 403. Only the start of the response is
    /// read, because a proxy may respond with its own page, which says nothing about the token.
    package func isAllowed(_ url: String) async throws -> Bool {
        var attempt = Attempt()
        attempt.reportsRefusals = false
        do {
            while true {
                let response = try await get(url, attempt: &attempt)
                let start: [UInt8]
                do throws(HTTPTransportError) {
                    start = try await response.body.prefix(Self.startOfAnswer)
                } catch {
                    try await recover(from: error, url: url, attempt: &attempt)
                    continue
                }
                guard let fault = Self.fault(atStartOf: start) else { return true }
                try await recover(from: fault, url: url, attempt: &attempt)
            }
        } catch ServiceError.unauthorized, ServiceError.forbidden {
            return false
        }
    }

    /// Whether the service accepts the token for the merchant itself, so that the 401 for `url` is about a permission.
    func accepts(_ token: Secret, besides url: String) async throws -> Bool {
        guard let merchantID else { return false }
        let merchant = self.url(path: "/v3/merchants/\(merchantID)", query: "")
        guard url.prefix(while: { $0 != "?" }) != merchant else { return false }
        // A missing response does not prove that the token is good.
        guard let status = try await status(of: merchant, token) else { return false }
        return (200...299).contains(status)
    }

    /// Whether the service responds 401 for every family of the merchant, as it did for `url`: a token that lacks one
    /// permission can read another family (Clover: 401 unauthorized).
    func lacksAllPermissions(_ token: Secret, besides url: String) async throws -> Bool {
        guard let merchantID else { return false }
        for probe in PermissionProbe.all {
            let address = self.url(path: probe.path(merchantID), query: probe.query)
            if address == url { continue }
            if try await status(of: address, token) != 401 { return false }
        }
        return true
    }

    /// The status of the response to a single try; nil if there is none, or a web page instead.
    private func status(of url: String, _ token: Secret) async throws -> Int? {
        while true {
            let permit = try await acquire(for: url, .usual)
            do throws(HTTPTransportError) {
                let request = ServiceRequest(.get, url)
                let response = try await transmit(
                    request, token: token, permit: permit, departure(of: request, permit, .unobserved))
                return response.isWebPage(try await response.body.prefix(Self.startOfPage)) ? nil : response.status
            } catch .heldBack {
                continue
            } catch {
                if error == .cancelled { throw CancellationError() }
                return nil
            }
        }
    }
}
