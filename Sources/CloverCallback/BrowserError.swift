/// Why no browser was started.
package enum BrowserError: Error, Equatable, Sendable {
    /// Neither `DISPLAY` nor `WAYLAND_DISPLAY` is set, and no `BROWSER` that may do without.
    case noDisplay
    /// None of these programs could be started.
    case noBrowser(tried: [String])
    /// Not an `http` or `https` address.
    case notWebAddress
}
