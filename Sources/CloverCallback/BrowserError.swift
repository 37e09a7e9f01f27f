/// Why no browser was started.
package enum BrowserError: Error, Equatable, Sendable {
    /// Neither `DISPLAY` nor `WAYLAND_DISPLAY` is set, and no `BROWSER` that may do without.
    case noDisplay
    /// None of these programs could be started.
    case noBrowser(tried: [String])
    /// The program that should open it ended with this status.
    case refused(program: String, status: Int32)
    /// Not an `http` or `https` address, nor one of an app that is known.
    case notWebAddress
}

extension BrowserError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDisplay: "no browser can be shown here, because there is no display"
        case .noBrowser(let tried):
            tried.isEmpty
                ? "no browser was found" : "no browser could be started (tried \(tried.joined(separator: ", ")))"
        case .refused(let program, let status): "\(program) ended with status \(status)"
        case .notWebAddress: "the address is not one for a browser"
        }
    }
}
