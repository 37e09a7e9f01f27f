import CloverAPI
import CloverCore
import CloverHTTP
import CloverOutput
import CloverSystem
import Synchronization

/// A request of `clover api`, whose response is printed whole.
struct RawCall: Sendable {
    var address: APIAddress
    /// `Content-Type` of the body; nil for JSON.
    var contentType: String?
    /// Whether to print the status and the header fields before the body.
    var printsHead = false
    /// Whether to print no body.
    var isSilent = false
    /// The response that ended the run as an error.
    let refusal = LastRefusal()

    final class LastRefusal: Sendable {
        private let state = Mutex<ServiceEvent.Refusal?>(nil)

        var last: ServiceEvent.Refusal? { state.withLock(\.self) }

        func note(_ refusal: ServiceEvent.Refusal) { state.withLock { $0 = refusal } }
    }

    /// Prints the head of a response, if it was asked for.
    func printHead(_ status: Int, _ headers: [HTTPHeader], in environment: CommandEnvironment) async throws {
        guard printsHead else { return }
        let mask = environment.diagnostics.mask
        let lines = headers.map { header in
            "\(header.name): \(mask.masked(Redaction.header(header)))"
        }
        try await StandardOutput.print(
            (["HTTP \(status)"] + lines + ["", ""]).joined(separator: "\n"), in: environment)
    }

    /// Prints the response that ended the run, as gh does: the service's own text is data, too. The error follows on
    /// standard error.
    func printRefusal(in environment: CommandEnvironment) async throws {
        guard let refusal = refusal.last else { return }
        if environment.terminal.isOutputTerminal { await environment.standardOutput.sanitize(.text) }
        try await printHead(refusal.status, refusal.headers, in: environment)
        guard !isSilent, !refusal.body.isEmpty else { return }
        try await StandardOutput.print(refusal.body + (refusal.body.last == "\n" ? "" : "\n"), in: environment)
    }
}
