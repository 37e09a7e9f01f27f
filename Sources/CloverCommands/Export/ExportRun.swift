import ArgumentParser
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

extension Export {
    /// `clover export run`, the default command of `clover export`.
    struct Run: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Export what changed since the last run",
            discussion: """
                Examples:
                  clover export orders payments --to ~/exports
                  clover export orders --to ~/days --day yesterday --day-start 04:00 \\
                    --name '{resource}/{date}.{extension}' --compress gzip
                  clover export orders payments --with line_items --to sqlite:shop.db

                RESOURCE is a list of the merchant's records, as for 'clover get'. Without --to, the records of one \
                resource go to standard output.

                What is exported:
                If a list can be filtered by change time, the export asks for changes since the last \
                run, in windows of at most 89 days, and writes a file for each. The bookmark is the time of the newest \
                record, or the start of the run, less --overlap; records that were exported before are not exported \
                again. Deleted records do not appear. Other lists are exported in full, and only when something \
                changed.

                The first run, and --full, start with the oldest record, even if it is older than the merchant. Lists \
                that are limited to 90 days a request, such as payments, cannot be searched for it: their history \
                starts with the oldest order, or 89 days before the merchant's first day, and is extended as long as \
                there are records, until two years are empty. Older records are not found; --verbose shows where the \
                search ended, and --since exports from any earlier time.

                Names:
                A name is made of {resource}, {merchant}, {profile}, {window}, {from}, {to}, {date} and \
                {extension}; the default is {resource}/{window}.{extension}, or {resource}.{extension} with --append. \
                A list that is exported in full, such as refunds, is one file by default, \
                {resource}/current.{extension}, which is replaced as a whole when anything in it has changed; begun with \
                --name, it is written again to another file. \
                With --append, a list that is exported in full is appended again, in full, when anything in it has \
                changed. A file of another window is never overwritten: further windows with the same name, such as \
                those of one {date}, are numbered in order, such as 2026-11-20-2.ndjson; the manifest has this as \
                "number". The manifest has a line for each file, and for each addition to a file that grows. A name \
                without a window is refused if another window has it; a list that is exported in full replaces its \
                file.

                Current files:
                With --state current, every resource has {resource}/current.ndjson with the newest version of each \
                record, sorted by id, and its change files are in {resource}/changes. It is brought up to date at the \
                end of each run, and replaced as a whole. Records that were deleted at Clover stay in it. A directory \
                keeps current files up to date from then on, without the option. The current file of a list that is \
                exported in full has the order in which Clover returned the list. Beside it is {resource}/changes.log, \
                with a line for each record that was added, changed or removed. For a directory of earlier exports: 'clover export compact'.

                Programs:
                A record on which the jq program fails goes to DIRECTORY/failed, under the name of its file, as \
                {"resource","merchant","id","error","record"}. The others are written, and the run ends with 82; later \
                runs do not try it again until it changes. The manifest lists the file like the others. What the program printed before it failed stays. --strict, \
                standard output and programs that use 'input' stop instead (65).

                Days:
                --window 1d with {date} makes a file for each of the merchant's dates, whatever its length in \
                hours. A --day that is not over is exported up to the start of the run, and is "partial" in the \
                manifest; the next run of that day replaces the file with a longer one. A day is selected by \
                createdTime, for customers by customerSince, and for lists that are not filtered by it, such as items, \
                by modifiedTime, which is the time of the last change. The manifest has this as "field". If --until is \
                in the future, the start of the run is used.

                Nested lists:
                With --with, the lists of each record become files beside those of the records, such as \
                orders.line_items, and each entry names its record as parentId; each resource gives the lists that it \
                has. A list that the service returns only separately, such as cash_events of employees, costs one \
                request for each record. A list that you add to an existing export is first exported from the \
                beginning, in separate files.

                Databases:
                --to sqlite:FILE and --to postgresql://HOST/DATABASE write tables instead of files: one for each \
                resource, such as orders, and one for each list of --with or --expand, such as orders__line_items, whose parent_id is the id of the record. \
                The columns are the fields of the record (see 'clover schema'), as created_time for createdTime and \
                employee_id for the id of an employee; "record" has the whole record as JSON. Amounts are integers \
                in the smallest unit of the currency in "currency". Times are milliseconds since 1970, with text in \
                UTC (created_time_utc) and in the shop's time zone (created_time_local) beside them. The views \
                sales_lines and payments_by_tender have amounts in whole units. To print rows, use 'clover export sql'.

                A row has the newest version of its record, and the entries of its lists are replaced with it. Each \
                window is one transaction, together with its mark in the table clover_export, so that a run that is \
                killed loses nothing and writes nothing twice; a database that was restored from a backup, or copied \
                to another machine, continues where it is. A field that appears later becomes a new column. Records \
                that were deleted at Clover stay; --full --mark-deleted finds them, and writes when to deleted_at. Tables, columns and views of yours stay, too; a table of yours with \
                the name of a resource is refused. A database has one merchant's records; with --profiles, a PostgreSQL \
                database has a schema for each merchant, such as clover_7zk9qx4m2t1ab, and machines with the setting \
                state share the work (see docs/fleet.md).

                --for-reports exports what 'clover report --from' reads, with or without a network: payments, refunds, credits, \
                orders, employees, tenders and items. The table clover_export_coverage says as of when each of them is \
                complete.

                PostgreSQL:
                The tables are in the first schema of the search path. Times are timestamps there, "record" is of type \
                json, and a value that does not fit its column is in "record" only. The address never has a \
                password: libpq finds it in ~/.pgpass, PGPASSWORD or a service file. Beyond this machine the server's \
                certificate is checked (sslmode=verify-full) unless the address or PGSSLMODE says otherwise. While the \
                server is away, the run waits until --max-time, or a minute without it; then it ends with 75, and the \
                next run continues with the same window.

                Object stores:
                --to s3://BUCKET/PREFIX writes each file as one object, with the names and the manifest of a directory, to \
                Amazon S3, or to MinIO and others with --endpoint-url. Keys, session token, region and endpoint are those \
                of AWS's own tools: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, \
                AWS_ENDPOINT_URL, and AWS_PROFILE in ~/.aws/credentials and ~/.aws/config. An object appears when it is \
                complete; a large one is uploaded in parts. The object .clover-export/id belongs to this machine's state: a \
                second machine is refused (78), and a second run here waits or fails as for a directory. The manifest is \
                replaced only if no other program replaced it, where the store knows If-Match. --append and --state current do not apply. \
                Other commands name it with its endpoint, as 'clover export status' shows it.

                Resuming:
                If a run is killed or fails, the next run with the same options resumes it. Output to \
                standard output cannot be resumed: a rerun repeats it.

                Form:
                Files are ndjson unless --format says csv or tsv: CLOVER_FORMAT and the terminal have no effect on \
                exports. The default columns of csv and tsv are those of 'clover get', with parentId for nested lists; a \
                destination keeps the columns with which it began. --fields orders=id,total chooses the fields of one \
                resource, and --fields orders.line_items=parentId,price those of a list of --with.

                A destination has each resource in one form: the same --format, --fields, --jq, --expand, --names and \
                --tag-merchant. A run for changes in another form is refused, because each form would get only a part \
                of the changes; --full exports everything in the new form, in which later runs continue. --day and \
                --since may have any form, under file names of their own. --compress, --name and --window may change \
                from run to run.

                State:
                The state directory keeps what is known about each destination, under the ID in the \
                destination's folder .clover-export. If you move a destination, its export continues; a copy starts as \
                a separate destination; if you delete it, everything is exported again. If you restore it from a \
                backup, as the end of its manifest shows, what came since is exported again.

                Each run checks that the files of earlier runs exist. If some are missing, it exports what is new, \
                lists the missing files, and exits with 79. To a file that grows, and is gone or shorter than it was, \
                nothing is added. --export-missing exports their windows again, with the records as they are now; \
                --accept-missing forgets them, and begins new files in place of those that grow.

                In a database, a table that you drop or empty is exported from the beginning by the next run of its \
                resource. If other rows of exports are gone, each run exports what is new and exits with 79, until they \
                are exported again with --full (for a nested list, with its --with) or forgotten with --accept-missing. \
                In PostgreSQL, the rows of a table of more than 64 MB are only counted by a run that writes to it.

                Exit statuses:
                  0   everything is exported
                  64  wrong usage: an unknown resource, field, part or placeholder
                  65  the jq program does not compile, or failed on a record that is not
                      kept; an element of a list is not a record; a file that grows has
                      been truncated
                  69  the service is unreachable or failed, even after retries
                  73  a file cannot be created, its name is taken, what would be
                      added to it is there already, or the form is another one;
                      a database has a table of yours with the resource's name;
                      there is no such bucket
                  74  a file or database cannot be written
                  75  another export to the same destination is running (--if-running),
                      another program keeps the database locked, or its server or the
                      object store is away
                  77  not signed in, or not allowed, at Clover, in the database or
                      in the object store
                  78  the directory belongs to another state, or another merchant; the
                      certificate of a database's server cannot be checked
                  79  incomplete: a window could not be read, published files are missing,
                      or the service returned records outside the requested time;
                      everything else is exported
                  82  some resources or merchants failed, or the jq program failed on
                      records, which are in DIRECTORY/failed; the others are done
                  83  --max-time ran out; complete windows are kept
                """
        )

        @Argument(
            help: ArgumentHelp("Resource to export, such as orders or items.", valueName: "resource"),
            completion: .asked)
        var resources: [String] = []

        @OptionGroup(title: "Where to")
        var destination: ExportDestinationOptions

        @OptionGroup(title: "What to export")
        var range: ExportRangeOptions

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
            guard !resources.isEmpty || content.isForReports else {
                throw ValidationError("name what to export, such as orders")
            }
            if let name = resources.first(where: { resource in resources.count { $0 == resource } > 1 }) {
                throw ValidationError("\(name) is named twice")
            }
            if let name = format.format, !name.isLineWise {
                throw ValidationError(
                    "--format takes \(RecordFormat.lineWiseNames) for an export, not \(name.rawValue)")
            }
            if content.isStrict, jq.choice() == nil { throw ValidationError("--strict needs --jq or --from-file") }
            if let option = jq.impliedBy { throw ValidationError("\(option) needs --jq or --from-file") }
            try checkSinger()
            try checkService()
            if destination.marksDeleted {
                let isDatabase = ExportDestinations.kind(of: destination.directory) is DatabaseDestination.Type
                guard isDatabase, range.full else {
                    throw ValidationError("--mark-deleted needs --full, and a database after --to")
                }
            }
            if content.isForReports {
                guard ExportDestinations.kind(of: destination.directory) is DatabaseDestination.Type else {
                    throw ValidationError(
                        "--for-reports needs a database, such as --to sqlite:shop.db, which 'clover report --from' reads"
                    )
                }
                try Self.refuse(
                    [(!content.parts.isEmpty, "--with"), (range.way == .exportAPI, "--via export-api")],
                    "and --for-reports exclude each other: reports need the nested lists inside their records")
            }
            if !singer.isOn { try ExportDestinations.kind(of: destination.directory).check(self) }
            if merchants.isGiven, connection.profile != nil || connection.merchant != nil {
                throw ValidationError("--profiles and a single --profile or --merchant exclude each other")
            }
        }

        /// Options that apply to files only.
        var fileOptions: [(isGiven: Bool, name: String)] {
            [
                (destination.name != nil, "--name"), (destination.appends, "--append"),
                (content.compression != nil, "--compress"), (!content.parts.isEmpty, "--with"),
                (destination.exportsMissing, "--export-missing"), (destination.acceptsMissing, "--accept-missing"),
            ]
        }

        /// Refuses options that Clover's Export API does not support.
        private func checkService() throws {
            guard range.way == .exportAPI else { return }
            try Self.refuse(
                [(!content.expand.isEmpty, "--expand"), (!content.parts.isEmpty, "--with"), (singer.isOn, "--singer")],
                "and --via export-api exclude each other")
        }

        /// Refuses options that do not apply to Singer messages, which have their own form and go to a target.
        private func checkSinger() throws {
            guard singer.isOn else { return }
            try Self.refuse(
                [
                    (destination.directory != nil, "--to"), (destination.name != nil, "--name"),
                    (destination.appends, "--append"), (destination.writesSummary, "--summary"),
                    (destination.exportsMissing, "--export-missing"), (destination.acceptsMissing, "--accept-missing"),
                    (content.compression != nil, "--compress"), (!content.parts.isEmpty, "--with"),
                    (jq.choice() != nil, "--jq"), (format.format != nil, "--format"),
                    (!format.fields.isEmpty, "--fields"), (content.showsNames, "--names"),
                    (merchants.isGiven, "--profiles"),
                    (merchants.tagsMerchant, "--tag-merchant"),
                ], "and --singer exclude each other")
        }

        static func refuse(_ options: [(isGiven: Bool, name: String)], _ reason: String) throws {
            if let option = options.first(where: \.isGiven) { throw ValidationError("\(option.name) \(reason)") }
        }

        /// The request: the options combined with the configuration.
        func request(in environment: CommandEnvironment) async throws -> ExportRequest {
            let lists = resources.isEmpty ? ReportList.allCases.map(\.rawValue) : resources
            var request = ExportRequest(resources: lists, connection: connection.choice)
            let settings = try await environment.settings(for: connection.choice)
            request.address = try destination.address(in: environment)
            request.nameTemplate = destination.name
            request.appends = destination.appends
            request.ifRunning = destination.ifRunning
            request.missingFiles =
                destination.exportsMissing ? .export : destination.acceptsMissing ? .accept : .report
            request.jitter = try destination.jitter.map { try DurationExpression.seconds($0) }
            request.writesSummary = destination.writesSummary
            request.marksDeleted = destination.marksDeleted
            request.range = try range.range()
            request.expand = Self.names(in: content.expand)
            request.isForReports = content.isForReports
            request.parts = Self.names(in: content.parts)
            request.compression = content.compression
            request.isStrict = content.isStrict
            request.keepsCurrent = singer.keepsCurrent
            request.tagsMerchant = merchants.tagsMerchant
            request.profiles = merchants.names
            try limits.apply(to: &request, settings)
            request.program = jq.choice()
            let fields = try FieldLists(parsing: format.fields)
            request.format = try format.choice(settings, fields.common, isFormDecided: true)
            request.timeZone = content.timeZone ?? format.zone ?? request.format.defaults.zone?.name
            if fields.common.isEmpty, fields.named.isEmpty, !(request.format.format ?? .ndjson).hasColumns {
                // Whole records keep their times: the zone is then that of days and dates only.
                request.format.zone = nil
            }
            request.format.names = content.showsNames ? .names : nil
            request.fields = fields.named
            request.showsSensitive = try sensitivity.isShown(settings)
            if request.keepsCurrent, let conflict = request.currentConflict { throw ValidationError(conflict) }
            return request
        }

        private static func names(in lists: [String]) -> [String] {
            lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var request = try await request(in: environment)
            request.words = try Schedule.absolutePaths(in: Schedule.exportWords(environment.arguments))
            if singer.isOn {
                try await SingerExport(request: request, statePath: singer.state, environment: environment).run()
            } else if request.hasManyMerchants, request.destination is DatabaseDestination.Type {
                try await MerchantExports(request, in: environment).run()
            } else {
                if request.hasManyMerchants, try environment.sharedState() != nil {
                    let text = "this machine exports all merchants: only exports to postgresql://... share their work"
                    if environment.terminal.isErrorTerminal {
                        environment.diagnostics.notice(text)
                    } else {
                        environment.diagnostics.detail(text)
                    }
                }
                try await RunExports(request, in: environment).run()
            }
            return 0
        }
    }
}
