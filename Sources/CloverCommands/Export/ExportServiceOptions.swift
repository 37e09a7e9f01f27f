import ArgumentParser
import CloverCore

/// Where records come from.
struct ExportServiceOptions: ParsableArguments {
    @Option(
        name: .customLong("via"),
        help: ArgumentHelp(
            "Get the history of orders and payments from Clover's Export API (export-api) and not page by page (lists, the default). It has what was made in a time, at hours that Clover permits; later runs get changes page by page. With --since, what was made before then and changed since is left out.",
            valueName: "lists|export-api"))
    var way: ExportRequest.Way = .lists

    func apply(to request: inout ExportRequest) {
        request.way = way
    }
}

extension ExportRequest.Way: ExpressibleByArgument {}

extension Export.Run {
    /// What the service's own exports do not have.
    func checkService() throws {
        guard service.way == .exportAPI else { return }
        let options: [(isGiven: Bool, name: String)] = [
            (!content.expand.isEmpty, "--expand"), (!content.parts.isEmpty, "--with"), (singer.isOn, "--singer"),
        ]
        if let option = options.first(where: { $0.isGiven }) {
            throw ValidationError("\(option.name) and --via export-api exclude each other")
        }
    }

    /// Messages have a form of their own, and go to a target.
    func checkSinger() throws {
        guard singer.isOn else { return }
        let options: [(isGiven: Bool, name: String)] = [
            (destination.directory != nil, "--to"), (destination.name != nil, "--name"),
            (destination.appends, "--append"), (destination.writesSummary, "--summary"),
            (destination.exportsMissing, "--export-missing"), (destination.acceptsMissing, "--accept-missing"),
            (content.compression != nil, "--compress"), (!content.parts.isEmpty, "--with"),
            (jq.choice() != nil, "--jq"),
            (format.format != nil, "--format"), (!format.fields.isEmpty, "--fields"),
            (merchants.isGiven, "--profiles"), (merchants.tagsMerchant, "--tag-merchant"),
        ]
        if let option = options.first(where: { $0.isGiven }) {
            throw ValidationError("\(option.name) and --singer exclude each other")
        }
    }
}
