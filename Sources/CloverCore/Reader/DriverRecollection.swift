import CloverConfiguration
import CloverPayments
import CloverReaders

/// Asks driver programs what became of payments: the one that was named, else that of the payment, else the usual one.
struct DriverRecollection: PaymentRecollection {
    private let named: ReaderDriverChoice
    private let usual: String?
    private let environment: CommandEnvironment

    /// What is left to a person when no driver can be believed.
    private static let elsewhere = "look it up in the merchant's dashboard"

    /// - Parameter named: a driver that was named by flag goes before all others.
    init(
        _ named: ReaderDriverChoice = ReaderDriverChoice(), _ connection: Connection,
        in environment: CommandEnvironment
    ) throws {
        self.named = named
        usual = try connection.settings.text(.readerDriver)
        self.environment = environment
    }

    func recall(externalID: String, driver: String?) async -> Recollection? {
        var choice = named
        choice.driver = named.driver ?? driver ?? usual
        guard choice.driver != nil else { return nil }
        do {
            switch try await choice.external(in: environment).payment(externalID: externalID) {
            case .notFound where choice.driver == driver: return .noPayment
            case .notFound:
                return .unclear(
                    "it has no such payment, and is not the driver that the charge was made with; " + Self.elsewhere)
            case .notRemembered:
                return .unclear(
                    "it has no such payment, but no record that outlives it either (the capability 'recall'); "
                        + Self.elsewhere)
            case .underWay: return .underWay
            case .ended(let outcome):
                return ReaderTill.event(outcome).map { .ended($0) } ?? .unclear("it does not know the outcome")
            }
        } catch let error as ReaderError {
            return .unclear(ReaderErrorText.message(error))
        } catch ReaderFault.malformedDriver {
            return .unclear("'\(choice.driver ?? "")' is no command")
        } catch {
            return .unclear("it could not be asked")
        }
    }
}
