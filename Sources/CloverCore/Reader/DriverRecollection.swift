import CloverConfiguration
import CloverPayments
import CloverReaders

/// Asks the driver program what became of payments.
struct DriverRecollection: PaymentRecollection {
    private let driver: ExternalDriver

    /// The driver that is named; nil when none is.
    static func named(
        _ connection: Connection, in environment: CommandEnvironment
    ) async throws -> DriverRecollection? {
        var choice = ReaderDriverChoice()
        choice.driver = try connection.settings.text(.readerDriver)
        guard choice.driver != nil else { return nil }
        return DriverRecollection(driver: try await choice.external(in: environment))
    }

    func recall(externalID: String) async -> Recollection {
        do {
            switch try await driver.payment(externalID: externalID) {
            case .notFound: return .none
            case .underWay: return .underWay
            case .ended(let outcome):
                return ReaderTill.event(outcome).map { .ended($0) } ?? .unclear("it does not know the outcome")
            }
        } catch let error as ReaderError {
            return .unclear(ReaderErrorText.message(error))
        } catch {
            return .unclear("it could not be asked")
        }
    }
}
