import CloverSquare

/// Why a request for the Square app cannot be made, or a URL is not a response of it.
///
/// ```swift
/// let request = SquareRequest(
///     applicationID: "sq0idp-example", amount: 0, currency: "USD", callbackURL: "my-app://paid")
/// do {
///     print(try request.handOff().url)
/// } catch {
///     print(error.number, error.name, error.message, error.nextStep)
/// }
/// ```
public struct SquareError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the SDK's `SCCErrorCode`, from 0 to 11.
    public let number: Int
    /// The SDK's name, such as `SCCErrorCodeInvalidRequestAmount`.
    public let name: String
    /// What failed and why. Of the input it has only amounts and names of fields.
    public let message: String
    /// What to do next.
    public let nextStep: String

    public var description: String { "\(message); \(nextStep)" }

    init(_ failure: SquareFailure) {
        number = failure.code.rawValue
        name = failure.name
        message = failure.message
        // Other steps than those of the program, which name its options.
        nextStep =
            switch failure.code {
            case .missingRequestClientID: "pass the application id from Square's developer console"
            case .missingOrInvalidResponseData: "pass the unchanged callback URL, and the platform of the request"
            case .cannotOpenApplication: "install the Square app on the device"
            default: failure.remedy
            }
    }
}
