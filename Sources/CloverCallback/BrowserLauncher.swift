internal import CloverProcesses

/// Opens an address in the user's browser, or in the app that the desktop knows for it.
package struct BrowserLauncher: Sendable {
    /// The schemes of apps that addresses are handed to: Square's on iOS, and any on Android.
    private static let appSchemes = ["square-commerce-v1", "intent"]

    /// The program that opens an address.
    package struct Opener: Sendable {
        /// Its name.
        package let program: String
        private let statuses: AsyncStream<Int32>

        init(program: String, statuses: AsyncStream<Int32>) {
            self.program = program
            self.statuses = statuses
        }

        /// Waits for its end, and gives its exit status as a shell has it; nil when that cannot be had. Asked once.
        package func status() async -> Int32? {
            var iterator = statuses.makeAsyncIterator()
            return await iterator.next()
        }
    }

    private let variables: [String: String]

    /// - Parameter variables: the environment of this process.
    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// Starts the first candidate of `$BROWSER` that can be started, or else `xdg-open` from `PATH`, and does not wait for
    /// it. Whether it shows the page is not known.
    ///
    /// The browser runs in a session of its own, with nothing on its standard streams and no other open file, so that it
    /// outlives the command and holds nothing of it, above all not the port of the listener. It gets no
    /// `CLOVER_` variable, because some hold secrets and a browser needs none.
    ///
    /// An address of an app (``appSchemes``) goes to `xdg-open` alone, which knows the programs for schemes; `$BROWSER` is
    /// for web pages.
    @discardableResult
    package func open(_ url: String) throws(BrowserError) -> Opener {
        // Anything else could be taken for an option, or for a file.
        let isForApp = Self.appSchemes.contains { url.hasPrefix($0 + ":") }
        guard isForApp || url.hasPrefix("https://") || url.hasPrefix("http://") else { throw .notWebAddress }
        var candidates = [BrowserCommand(words: ["xdg-open"])]
        if !isForApp, let browser = variables["BROWSER"], !browser.isEmpty {
            candidates = BrowserCommand.candidates(browser)
        } else if !hasDisplay {
            throw .noDisplay
        }
        let environment = variables.filter { !$0.key.hasPrefix("CLOVER_") }
        for candidate in candidates {
            guard let program = ProgramSearch.find(candidate.words[0], path: variables["PATH"]) else { continue }
            let (statuses, continuation) = AsyncStream.makeStream(of: Int32.self)
            do throws(ChildPlan.StartError) {
                try DetachedProcess.start(program, candidate.arguments(for: url), environment: environment) { status in
                    if let status { continuation.yield(status) }
                    continuation.finish()
                }
                return Opener(program: candidate.words[0], statuses: statuses)
            } catch {
                // Not a program after all; the next candidate may be one.
                continue
            }
        }
        throw .noBrowser(tried: candidates.map { $0.words[0] })
    }

    private var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0].map { !$0.isEmpty } ?? false }
    }
}
