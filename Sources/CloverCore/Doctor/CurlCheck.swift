import CloverHTTP

/// The libcurl that requests go through.
struct CurlCheck: DoctorCheck {
    func look(_ patient: Patient) async throws -> [Finding] {
        // Itself, then what it was built with, of which TLS and HTTP/2 matter here.
        let version: String
        do throws(HTTPTransportError) {
            version = try patient.environment.transportVersion()
        } catch {
            return [.fail(.curl, error)]
        }
        let words = version.split(separator: " ").map { $0.replacing("/", with: " ") }
        let telling = words.prefix(2) + words.dropFirst(2).filter { $0.hasPrefix("nghttp2") }
        return [.ok(.curl, telling.joined(separator: ", "))]
    }
}
