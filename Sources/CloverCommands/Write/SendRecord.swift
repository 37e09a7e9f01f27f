import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverOutput
import FoundationEssentials

/// Runs `clover post`, `put`, `delete` and the writes of `clover api` for one request: sends it and prints the response.
struct SendRecord: Sendable {
    let request: WriteRequest
    let environment: CommandEnvironment

    /// Carries out the write and prints its response, or throws.
    func run() async throws -> FilterReport {
        if request.isDryRun { return try await preview() }
        let connection = try await Connection.resolve(
            request.connection, in: environment.waitingForSignIns(atMost: request.maximumTime))
        let plan = try await WritePlan.located(request, merchantID: connection.merchantID, in: environment) {
            try connection.makeClient(
                retries: request.maximumRetries, pacing: request.effectivePacing, in: environment)
        }
        let format = try request.printing.plan(.of(model: plan.path.endpoint?.answerModel), in: environment)
        let guide = FieldValidator(plan.path, model: plan.path.endpoint?.answerModel, expand: request.expand)
        if request.isChecked { try guide.checkNames(request.printing.format.fields) }
        if !request.isConfirmed {
            try await confirm(plan) {
                try connection.makeClient(retries: 0, pacing: request.effectivePacing, in: environment)
            }
        }
        let diagnostics = environment.diagnostics
        let sender = try WriteSender(request, plan, connection, in: environment) { standing in
            switch standing {
            case .underWay:
                diagnostics.warning(
                    "waiting for the response before stopping; if none arrives, it may have been carried out")
            case .doubtful:
                diagnostics.warning(
                    "it may have been carried out by an earlier attempt: check before you send it again")
            case .notDone: break
            }
        }
        let filter = try await request.printing.makeFilter(
            format, guide, sender.client, merchantID: connection.merchantID, in: environment)
        defer { sender.inspection.finish() }
        let report: FilterReport
        do {
            report = try await TimeLimit.run(
                seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
                timeRanOut: { [request, environment] in
                    WriteError.timeRanOut(
                        seconds: request.maximumTime ?? 0, line: nil, path: plan.path.encoded, sender.flight.abandon(),
                        movesMoney: plan.path.movesMoney, obstacle: sender.pause.obstacle(at: environment.clock.boot()))
                },
            ) {
                try await ProgressDisplay.during(in: environment) { board in
                    board.line("\(plan.method.rawValue) \(plan.path.display)") { facts in
                        facts.words = "waiting for the response"
                        sender.update(&facts)
                    }
                    return try await sender.flight.run { try await send(plan, sender, filter) }
                }
            }
        } catch let error as CancellationError {
            if !sender.flight.hasReportedDoubt {
                diagnostics.warning(
                    "stopped: the \(plan.method.rawValue) to \(plan.path.display) was not carried out")
            }
            throw error
        }
        try Task.checkCancellation()
        return report
    }

    /// Asks for confirmation before deleting more than one record, and on a terminal before deleting one.
    private func confirm(_ plan: WritePlan, _ client: () throws -> ServiceClient) async throws {
        let confirmation = Confirmation(environment: environment)
        if let what = plan.needsConfirmation {
            try await confirmation.require(what, isInputTaken: false)
        } else if plan.method == .delete, confirmation.canAsk {
            let name = await name(of: plan.path, try client())
            try await confirmation.require(plan.path.display + (name.map { " (\($0))" } ?? ""), isInputTaken: false)
        }
    }

    /// The name of a record, for the person who confirms its deletion; nil if it has none or cannot be read.
    private func name(of path: ResourcePath, _ client: ServiceClient) async -> String? {
        guard let endpoint = EndpointCatalogue.endpoint(at: path.segments), endpoint.shape == .object else {
            return nil
        }
        struct Named: Decodable { var name: String? }
        var attempt = ServiceClient.Attempt()
        attempt.reportsRefusals = false
        do {
            let body = try await client.body(of: client.url(of: path, query: ""), limit: 1 << 20, attempt: &attempt)
            return try JSONDecoder().decode(Named.self, from: Data(body)).name
        } catch {
            return nil
        }
    }

    private func send(
        _ plan: WritePlan, _ sender: WriteSender, _ filter: any RecordFilter
    ) async throws -> FilterReport {
        let diagnostics = environment.diagnostics
        let response = try await sender.send(plan.body, to: plan.path)
        if let doubt = response.goneAfter { diagnostics.notice(Self.words(for: doubt, plan.path.display)) }
        do {
            try await request.call?.printHead(response.status, response.headers, in: environment)
            if request.call?.isSilent != true { _ = try await filter.consume(response.records) }
            let report = try await filter.finish()
            try request.printing.check(report)
            if plan.method == .delete, response.goneAfter == nil, environment.terminal.isErrorTerminal {
                diagnostics.notice("deleted \(plan.needsConfirmation ?? plan.path.display)")
            }
            return report
        } catch {
            // A failure to print the response must not look like a failure to write the record.
            diagnostics.warning(
                "the request was carried out, so do not send it again; only its response is not printed")
            throw error
        }
    }

    private static func words(for doubt: ServiceClient.Doubt, _ path: String) -> String {
        switch doubt {
        case .noAnswer: "the response to an earlier attempt was lost; \(path) no longer exists"
        case .failed(let status): "an earlier attempt got status \(status); \(path) no longer exists"
        }
    }

    /// The request as a curl command; nothing is sent.
    func command() async throws -> CurlCommand {
        let (plan, base) = try await WritePlan.unsent(request, in: environment)
        return try CurlCommand(
            plan.request(at: plan.path, body: plan.body, base: base), to: plan.path.endpoint,
            showsSensitive: request.showsSensitive,
            certificateFile: await request.connection.completed(in: environment).certificateFile,
            environment.diagnostics)
    }

    private func preview() async throws -> FilterReport {
        let (plan, base) = try await WritePlan.unsent(request, in: environment)
        let mask = RequestMasker(
            plan.path.endpoint, showsSensitive: request.showsSensitive, environment.diagnostics)
        let output = try await PreviewOutput(request.printing, mask, in: environment)
        let sent = plan.request(at: plan.path, body: plan.body, base: base)
        try await output.show(RequestPreview(request: sent, line: nil))
        return try await output.finish()
    }
}

extension Endpoint {
    /// Name of the model of a write's response; that of its body where the catalogue has no model of the response.
    fileprivate var answerModel: String? { model ?? body }
}

struct Confirmation {
    let environment: CommandEnvironment

    /// Whether a person can answer on the terminal.
    var canAsk: Bool {
        environment.terminal.isInputTerminal && environment.terminal.isErrorTerminal
            && environment.diagnostics.style == .text
    }

    /// Asks on the terminal; returns only after a yes.
    ///
    /// - Parameters:
    ///   - what: what would be deleted.
    ///   - isInputTaken: whether standard input is read for another purpose.
    /// - Throws: `WriteError.confirmationMissing`, `.declined`.
    func require(_ what: String, isInputTaken: Bool) async throws {
        guard canAsk, !isInputTaken else { throw WriteError.confirmationMissing(what: what) }
        environment.diagnostics.request("this deletes \(what); continue? [y/N] (to skip this question, add --yes)")
        let answer = String(decoding: try await environment.readInputLine(16, false), as: UTF8.self).lowercased()
        guard ["y", "yes"].contains(answer.filter { !$0.isWhitespace }) else { throw WriteError.declined(what: what) }
    }
}
