import CloverCallback
package import CloverSquare

/// The Square app, as this machine's desktop reaches it.
package enum SquareApp {
    /// Hands a request to whatever the desktop opens its scheme with, and does not wait for it.
    ///
    /// - Throws: `SquareError.cannotOpen` with the SDK's code for it.
    package static func open(
        _ handOff: SquareHandOff, profile: SquareProfile, in environment: CommandEnvironment
    ) throws(SquareError) {
        do throws(BrowserError) {
            try environment.openBrowser(handOff.url)
        } catch {
            throw .cannotOpen(error, SquareFailure(.cannotOpenApplication, profile: profile))
        }
        environment.diagnostics.notice("the request was handed to the desktop; whether an app took it is not known")
    }
}
