import CloverSystem
import Glibc

/// Opens a URL in the user's browser, or in the app registered for it on the desktop.
package struct BrowserLauncher: Sendable {
    /// URL schemes of apps: Square's on iOS, and any on Android.
    private static let appSchemes = ["square-commerce-v1", "intent"]

    /// The program that opens a URL.
    package struct Opener: Sendable {
        package let program: String
        fileprivate let ended = Promise<Int32, ChildPlan.StartError>()

        /// Waits for the program's end and returns its exit status as a shell reports it; nil if it is unavailable, or
        /// the task is cancelled. Call once.
        package func status() async -> Int32? {
            do throws(ChildPlan.StartError) {
                return try await ended.value(cancelledWith: ChildPlan.StartError(errno: ECANCELED))
            } catch {
                return nil
            }
        }

        /// Starts the program in its own session, with its standard streams on /dev/null, and leaves it running.
        fileprivate func start(
            _ path: String, _ words: [String], environment: [String: String]
        ) throws(ChildPlan.StartError) {
            var plan = ChildPlan(path: path, words: words, variables: environment)
            plan.standing = .ownSession
            plan.input = .nothing
            plan.output = .nothing
            plan.errors = .nothing
            let process = try plan.start()
            let errno = DedicatedThread.tryStart(name: "clover-browser", stackSize: 1 << 16) { [ended] in
                ended.settle(Result { () throws(ChildPlan.StartError) in try ChildStatus.wait(for: process) })
            }
            // Without a thread, it remains as a zombie until this process ends, which does no harm.
            if errno != 0 { ended.settle(.failure(ChildPlan.StartError(errno: errno))) }
        }
    }

    private let variables: [String: String]

    /// - Parameter variables: the environment of this process.
    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// Starts the first usable candidate of `$BROWSER`, or else `xdg-open` from `PATH`, without waiting for it. Whether
    /// it shows the page is unknown.
    ///
    /// The browser runs in its own session, with /dev/null as its standard streams and no other open file, so that it
    /// outlives the command and holds none of its resources, in particular not the listener's port. It gets no
    /// `CLOVER_` variable, because some contain secrets and a browser needs none.
    ///
    /// A URL of an app (``appSchemes``) is passed only to `xdg-open`, which knows the programs for URL schemes;
    /// `$BROWSER` is for web pages.
    @discardableResult
    package func open(_ url: String) throws(BrowserError) -> Opener {
        // Anything else could be taken for an option or a file.
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
            let opener = Opener(program: candidate.words[0])
            do throws(ChildPlan.StartError) {
                try opener.start(program, candidate.arguments(for: url), environment: environment)
                return opener
            } catch {
                // Not executable after all; the next candidate may be.
                continue
            }
        }
        throw .noBrowser(tried: candidates.map { $0.words[0] })
    }

    private var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { variables[$0].map { !$0.isEmpty } ?? false }
    }
}

/// One candidate of `$BROWSER`: a program and its arguments.
struct BrowserCommand: Equatable {
    /// At least one word, the program first.
    let words: [String]

    /// The candidates in a `$BROWSER` variable, in order; colons separate them.
    static func candidates(_ variable: String) -> [BrowserCommand] {
        variable.split(separator: ":").map { BrowserCommand(words: CommandLineSplitter.split(String($0)).words) }
            .filter { !$0.words.isEmpty }
    }

    /// Program and arguments for a URL, which replaces each `%s`, or is appended if there is none. `%%` stands for a
    /// percent sign and `%c` for a colon, which otherwise separates candidates.
    func arguments(for url: String) -> [String] {
        var isPlaced = false
        let result = words.map { word in
            var text = ""
            var rest = word[...]
            while let mark = rest.firstIndex(of: "%") {
                text += rest[..<mark]
                let next = rest.index(after: mark)
                switch next < rest.endIndex ? rest[next] : nil {
                case "s":
                    text += url
                    isPlaced = true
                case "c": text += ":"
                case "%": text += "%"
                case let other: text += "%" + (other.map(String.init) ?? "")
                }
                rest = next < rest.endIndex ? rest[rest.index(after: next)...] : ""
            }
            return text + rest
        }
        return isPlaced ? result : result + [url]
    }
}

/// Why no browser was started.
package enum BrowserError: Error, Equatable, Sendable {
    /// Neither `DISPLAY` nor `WAYLAND_DISPLAY` is set, nor `BROWSER`, whose programs may need no display.
    case noDisplay
    /// None of these programs could be started.
    case noBrowser(tried: [String])
    /// The program that opens URLs ended with this status.
    case refused(program: String, status: Int32)
    /// Neither an `http` or `https` URL nor one of a known app.
    case notWebAddress
}

extension BrowserError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noDisplay: "no browser can be opened: there is no display"
        case .noBrowser(let tried):
            tried.isEmpty
                ? "no browser was found" : "cannot start a browser (tried \(tried.joined(separator: ", ")))"
        case .refused(let program, let status): "\(program) ended with status \(status)"
        case .notWebAddress: "a browser cannot open this address"
        }
    }
}
