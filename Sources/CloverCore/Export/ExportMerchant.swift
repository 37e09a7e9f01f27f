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
    private(set) var zone: TimeZoneRules?

    var merchantID: String { connection.merchantID }

    /// Nothing is sent yet.
    init(_ request: ExportRequest, _ choice: ConnectionChoice, in environment: CommandEnvironment) async throws {
        connection = try await Connection.resolve(choice, in: environment)
        profile = try await choice.completed(in: environment).profile
        var pacing = request.pacing
        pacing.pacingClass = .bulk
        pacing.command = "export " + request.resources.map { $0.prefix { $0 != "?" } }.joined(separator: " ")
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: pacing, pause: pause, in: environment)
    }

    /// The same with its zone, for a run that writes a date or asks for a business day.
    func located(_ request: ExportRequest) async throws -> ExportMerchant {
        var merchant = self
        if let zone = try request.namedZone {
            merchant.zone = zone
        } else {
            let facts = try await MerchantFacts.read(client, merchantID: merchantID, isNeeded: true)
            merchant.zone = try facts.clocks(of: merchantID, option: "--time-zone")
        }
        return merchant
    }
}
