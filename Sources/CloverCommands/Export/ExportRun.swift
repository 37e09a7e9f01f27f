import ArgumentParser
import CloverCore
import CloverRecords

extension Export {
    /// `clover export run`, which is meant when no command is named.
    struct Run: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Export what changed since the last run",
            discussion: """
                Examples:
                  clover export orders payments --to ~/exports
                  clover export orders --to ~/days --day yesterday --day-start 04:00 \\
                    --name '{resource}/{date}.{extension}' --compress gzip
                  clover export orders items --profiles all --to ~/exports --summary

                RESOURCE is a list of the merchant's, as for 'clover get'. Without \
                --to the records of one resource go to standard output.

                A list that can be filtered by the time of the last change is asked \
                for what changed since the last run, in windows of at most 89 days, \
                and each becomes a file. The bookmark is the time of the newest \
                record, or the start of the run, less --overlap; what was exported \
                before is not exported again. The first run, and --full, begin with the \
                oldest record, also where that is older than the merchant. A list that \
                answers for 90 days at a time, such as payments, is not asked for that: \
                its history begins with the oldest order, or 89 days before the \
                merchant's first day as often as there are records, until two years are \
                empty. What is before these is not found; --verbose tells where that is, \
                and --since exports from there on. Other lists are taken whole, and \
                written only when something in them is another than last time. \
                Records that are deleted do not come at all.

                Names are made of {resource}, {merchant}, {profile}, {window}, \
                {from}, {to}, {date} and {extension}; the default is \
                {resource}/{window}.{extension}, and {resource}.{extension} with \
                --append, to which a list that is taken whole is added again, whole, \
                when anything in it has changed. No other window's file is ever \
                overwritten: further windows of the same name, such as those of one \
                {date}, get numbers in their order, as 2026-11-20-2.ndjson, which the \
                manifest names as "number". The manifest has a line for each file, and \
                for each addition to one that grows. A name without a window is refused when \
                another window has it, and a list that is taken whole replaces its file.

                --window 1d with {date} makes a file of each of the merchant's dates, \
                whatever hours it has. A --day that is not over is exported up to the \
                start of the run, "partial" in the manifest; the next run of that day \
                puts the longer file in its place. A day is that of createdTime, of \
                customers customerSince; where a list is not filtered by it, such as \
                items, that of modifiedTime, and means changed. The manifest names it \
                as "field". --until in the future is the start \
                of the run.

                With --with, the lists of each record become files beside those of \
                the records, as orders.line_items, and each entry names its record \
                as parentId; of several resources each gives those that it has. One \
                that the service gives by itself only costs a request for each record, \
                such as cash_events of employees. A list that is asked for later than \
                its records comes from the beginning first, in files of its own.

                A run that is killed or fails is gone on with when the same is asked \
                for again. To standard output nothing is gone on with: what a run \
                that failed has written comes again.

                Files are ndjson unless --format says csv or tsv: CLOVER_FORMAT and \
                a terminal are for what is printed by others.

                A destination has each resource in one form: --format, --fields, --jq, \
                --expand, --tag-merchant and what they print. A run for what changed \
                that asks for another one is refused, as each form would get a part of \
                what changes; --full exports all of it in the new form and goes on in \
                that. --day and --since may have any form, and their files names of \
                their own. --compress, --name and --window may change from run to run.

                What is known of each destination is in the state directory, by \
                the id that the destination has in its folder .clover-export: a \
                destination may be moved, a copy of it starts as its own, and one that \
                is removed is exported anew. To one that is restored from a backup, \
                which the end of its manifest tells, comes again what came since.

                Each run looks for the files that earlier runs have published. When \
                some are missing, it exports what is new, names them and ends with 79. \
                --export-missing exports the windows of these files anew, with the records \
                as they are now; --accept-missing forgets them.

                Exit statuses:
                  0   everything is exported
                  64  wrong usage: an unknown resource, field, part or placeholder
                  65  the jq program does not compile, or failed on records; an element
                      of a list is no record; a file that grows is shorter than it was
                  69  the service cannot be reached or failed, also after retries
                  73  a file cannot be created, its name is taken, what would be
                      added to it is there already, or the form is another one
                  74  a file cannot be written
                  75  another export to the same destination runs (--if-running)
                  77  not signed in, or not allowed
                  78  the directory belongs to another state, or another merchant
                  79  incomplete: a window could not be read, published files are missing,
                      or the service does not keep to the time that it is asked for;
                      everything else is exported
                  82  some resources or merchants failed, others are done
                  83  --max-time ran out; whole windows are kept
                """
        )

        @Argument(
            help: ArgumentHelp("What to export, such as orders or items.", valueName: "resource"), completion: .asked)
        var resources: [String] = []

        @OptionGroup(title: "Where to")
        var destination: ExportDestinationOptions

        @OptionGroup(title: "What to export")
        var range: ExportRangeOptions

        @OptionGroup(title: "What to export")
        var service: ExportServiceOptions

        @OptionGroup(title: "What to write")
        var jq: ProgramOptions

        @OptionGroup(title: "What to write")
        var format: FormatOptions

        @OptionGroup(title: "What to write")
        var content: ExportContentOptions

        @OptionGroup(title: "What to write")
        var sensitivity: SensitivityOptions

        @OptionGroup(title: "Limits")
        var limits: LimitOptions

        @OptionGroup(title: "Singer")
        var singer: ExportSingerOptions

        @OptionGroup(title: "Many merchants")
        var merchants: ExportMerchantOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard !resources.isEmpty else { throw ValidationError("say what to export, such as orders") }
            if let name = resources.first(where: { resource in resources.count { $0 == resource } > 1 }) {
                throw ValidationError("\(name) is named twice")
            }
            if let name = format.format, ![.ndjson, .csv, .tsv].contains(name) {
                throw ValidationError("--format takes ndjson, csv or tsv for an export, not \(name.rawValue)")
            }
            if let option = jq.impliedBy { throw ValidationError("\(option) needs --jq or --from-file") }
            try checkSinger()
            try checkService()
            if destination.directory == nil, !singer.isOn { try checkOutput() }
            if merchants.isGiven, connection.profile != nil || connection.merchant != nil {
                throw ValidationError("--profiles and a single --profile or --merchant exclude each other")
            }
        }

        /// What only files can have.
        private func checkOutput() throws {
            if resources.count > 1 { throw ValidationError("several resources need --to DIRECTORY") }
            if merchants.isGiven, !merchants.tagsMerchant {
                throw ValidationError(
                    "--profiles to standard output needs --tag-merchant, so that each record says whose it is; "
                        + "or --to DIRECTORY")
            }
            let options: [(isGiven: Bool, name: String)] = [
                (destination.name != nil, "--name"), (destination.appends, "--append"),
                (content.compression != nil, "--compress"), (!content.parts.isEmpty, "--with"),
                (destination.exportsMissing, "--export-missing"), (destination.acceptsMissing, "--accept-missing"),
            ]
            if let option = options.first(where: { $0.isGiven }) {
                throw ValidationError("\(option.name) needs --to DIRECTORY")
            }
        }

        /// What was typed, with what is configured.
        func request(in environment: CommandEnvironment) async throws -> ExportRequest {
            var request = ExportRequest(resources: resources, connection: connection.choice)
            let settings = try await environment.settings(for: connection.choice)
            try destination.apply(to: &request)
            try range.apply(to: &request)
            service.apply(to: &request)
            try content.apply(to: &request)
            merchants.apply(to: &request)
            try limits.apply(to: &request, settings)
            request.program = jq.choice()
            request.format = try format.choice(settings, isFormDecided: true)
            request.showsSensitive = try sensitivity.isShown(settings)
            request.version = CloverVersion.text
            return request
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let request = try await request(in: environment)
            if singer.isOn {
                try await SingerExport(request, statePath: singer.state, in: environment).run()
                return 0
            }
            try await RunExports(request, in: environment) { error in
                guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
                return report.facts
            }.run()
            return 0
        }
    }
}
