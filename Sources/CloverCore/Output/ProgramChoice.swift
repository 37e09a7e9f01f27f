package import CloverOutput

/// A jq program and how its results are printed.
package struct ProgramChoice: Sendable {
    package var source: Source
    /// The option that gave it, for messages.
    package var option: String
    /// `slurp` is the request's.
    package var options = JQOptions()

    package init(source: Source, option: String) {
        self.source = source
        self.option = option
    }

    package enum Source: Sendable {
        case text(String)
        case file(String)
    }
}
