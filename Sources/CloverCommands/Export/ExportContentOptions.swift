import ArgumentParser
import CloverCompression
import CloverCore

/// The contents of the files, apart from the format of the records.
struct ExportContentOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Nested objects to include, separated by commas.", valueName: "names"),
        completion: .asked)
    var expand: [String] = []

    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Lists of each record to export completely, as resources of their own: line_items,payments for orders, shifts for employees.",
            valueName: "names"), completion: .asked)
    var parts: [String] = []

    @Option(name: .customLong("compress"), help: ArgumentHelp("Compression of the files.", valueName: "format"))
    var compression: Compression?

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp(
            "Time zone for --day, {date}, and dates in --since and --until, such as Europe/Berlin (default: the merchant's).",
            valueName: "zone"))
    var timeZone: String?

    func apply(to request: inout ExportRequest) throws {
        request.expand = Self.names(in: expand)
        request.parts = Self.names(in: parts)
        request.compression = compression
        request.timeZone = timeZone
    }

    private static func names(in lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }
}

extension Compression: ExpressibleByArgument {}
