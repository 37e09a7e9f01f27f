import CloverAPI
import CloverExport
import CloverPacing
import CloverRecords

/// One merchant of a run: whom to ask, and how.
struct ExportMerchant: Sendable {
    let connection: Connection
    let client: ServiceClient
    /// How long the service lets nobody send.
    let pause = ServicePause()
    let profile: String?
    /// The zone of its dates and business days; nil when nothing needs it.
    let zone: TimeZoneRules?

    var merchantID: String { connection.merchantID }

    /// - Parameter needsZone: a date is written, or a business day asked for.
    init(
        _ request: ExportRequest, _ choice: ConnectionChoice, needsZone: Bool, in environment: CommandEnvironment
    ) async throws {
        connection = try await Connection.resolve(choice, in: environment)
        profile = try await choice.completed(in: environment).profile
        var pacing = request.pacing
        pacing.pacingClass = .bulk
        pacing.command = "export " + request.resources.map { $0.prefix { $0 != "?" } }.joined(separator: " ")
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: pacing, pause: pause, in: environment)
        guard needsZone else {
            zone = nil
            return
        }
        if let name = request.timeZone, name.lowercased() != "merchant" {
            zone = try TimeZoneRules(named: name)
        } else if let name = try await MerchantFacts.read(client, merchantID: connection.merchantID).timezone {
            zone = try TimeZoneRules(named: name)
        } else {
            throw ExportError.noTimeZone(merchant: connection.merchantID)
        }
    }
}
