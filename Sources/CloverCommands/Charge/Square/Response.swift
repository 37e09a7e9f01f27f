import ArgumentParser
import CloverCore
import CloverJSON
import CloverOutput
import CloverPayments
import CloverSquare

extension Charge.Square {
    /// `clover charge square response`.
    struct Response: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "response",
            abstract: "Read the URL that contains the Square app's response",
            discussion: """
                Examples:
                  clover charge square response \\
                    'my-app://paid/square_request?data=%7B%22status%22%3A%22ok%22%7D'
                  clover charge square response --platform android-web \\
                    'https://cafe.example/paid?com.squareup.pos.CLIENT_TRANSACTION_ID=C-1'
                  clover charge square response <urls.txt | jq -r .transactionId

                Without a URL, reads one a line from standard input. Prints one JSON object for each: success, \
                transactionId, clientTransactionId, state and error; or 'ok' false with an SCCErrorCode, if the URL \
                is not a response. Both texts of a location mismatch are understood with either SDK. If exactly one \
                request in the journal of charges can be meant by the response's state, it is settled; otherwise, \
                name the request with --charge.

                Exit statuses:
                  0   paid
                  65  not a response of the Square app; of several URLs, at least one
                  80  unknown, not recorded, or not matched; of several URLs, at least one
                  81  not paid; of several URLs, at least one
                """
        )

        @Argument(help: ArgumentHelp("Callback URLs, unchanged, quoted for the shell.", valueName: "url"))
        var urls: [String] = []

        @Flag(
            name: .customLong("check-marker"),
            help: "Add whether the URL has the marker of a request's callback, as isSquareResponse.")
        var checkMarker = false

        @Option(
            name: .long,
            help: ArgumentHelp("Request in the journal that the URL is the response to.", valueName: "id"))
        var charge: String?

        @Flag(name: .customLong("no-journal"), help: "Do not change the journal of charges.")
        var noJournal = false

        @OptionGroup(title: "Rules")
        var rules: SquareRules

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            guard charge != nil else { return }
            if urls.count != 1 { throw ValidationError("--charge goes with one URL, as an argument") }
            if noJournal { throw ValidationError("--charge settles a request of the journal: leave --no-journal out") }
        }

        /// Maximum number of responses per transaction; their lines are printed after it.
        private static let batchSize = 500

        /// Prints a line for each URL. No line is printed before its outcome is recorded. If the journal cannot be
        /// written, the lines are printed, and a payment among them is an error.
        func run(in environment: CommandEnvironment) async throws -> Int32 {
            var tally = SquareResponseSummary()
            var settlement = SquareSettlement(isOn: !noJournal, isForMany: urls.count != 1, in: environment)
            if checkMarker, let notice = rules.markNotice { environment.diagnostics.notice(notice) }
            if let charge {
                _ = try await SquareHandOffLookup.find(charge, in: environment)
                for url in urls { try await read(url, answering: charge, &tally, &settlement, in: environment) }
            } else if urls.isEmpty {
                let lines = try environment.openLines(nil)
                while true {
                    // Lines that have already arrived share a transaction; the batch does not wait for more.
                    let texts = try await lines.next(atMost: Self.batchSize)
                    if texts.isEmpty { break }
                    try await read(texts.compactMap(Self.url), &tally, &settlement, in: environment)
                }
            } else {
                try await read(urls, &tally, &settlement, in: environment)
            }
            settlement.finish()
            if let error = tally.error { throw error }
            return 0
        }

        private func read(
            _ urls: [String], _ tally: inout SquareResponseSummary, _ settlement: inout SquareSettlement,
            in environment: CommandEnvironment
        ) async throws {
            try Task.checkCancellation()
            let results = urls.map { rules.outcome(of: $0) }
            let verdicts = await settlement.settle(by: results)
            for ((url, result), verdict) in zip(zip(urls, results), verdicts) {
                tally.add(result, verdict, isOfAndroid: rules.isAndroidResponse(url))
                try await SquareLine.print(line(url, result), in: environment)
                settlement.tell(verdict)
            }
        }

        /// Reads the response to a hand-off named by the user. It is printed even if it cannot belong to that hand-off.
        private func read(
            _ url: String, answering charge: String, _ tally: inout SquareResponseSummary,
            _ settlement: inout SquareSettlement, in environment: CommandEnvironment
        ) async throws {
            let result = rules.outcome(of: url)
            var verdict: SquareSettlement.Verdict?
            var failure: (any Error)?
            if case .success(let outcome) = result {
                do {
                    verdict = try await settlement.settle(charge, by: outcome)
                } catch {
                    failure = error
                }
            }
            tally.add(result, verdict, isOfAndroid: rules.isAndroidResponse(url))
            try await SquareLine.print(line(url, result), in: environment)
            if let failure { throw failure }
        }

        private func line(_ url: String, _ result: Result<any SquareOutcome, SquareFailure>) -> String {
            SquareOutputLine.response(url: url, result, isSquareResponse: checkMarker ? rules.mark(of: url) : nil)
        }

        /// The URL on a line; nil for a blank line.
        private static func url(_ text: InputText) -> String? {
            switch text {
            case .line(let bytes): trimmed(bytes)
            // No URL is as long; an empty one fails as not a response.
            case .tooLong: ""
            }
        }

        /// The line without surrounding white space; nil if nothing is left.
        private static func trimmed(_ line: [UInt8]) -> String? {
            let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
            guard let first = line.firstIndex(where: { !isBlank($0) }),
                let last = line.lastIndex(where: { !isBlank($0) })
            else { return nil }
            return String(decoding: line[first...last], as: UTF8.self)
        }
    }
}

/// Counts the outcomes of a run's responses.
struct SquareResponseSummary {
    private var count = 0
    private var failures = SquareResponseFailures()
    /// The error of the last URL.
    private var last: SquareError?

    mutating func add(
        _ result: Result<any SquareOutcome, SquareFailure>, _ verdict: SquareSettlement.Verdict?, isOfAndroid: Bool
    ) {
        count += 1
        last = Self.error(of: result, verdict, isOfAndroid: isOfAndroid)
        switch last {
        case .notResponse: failures.notResponse += 1
        case .notPaid: failures.notPaid += 1
        case .outcomeUnknown, .paidBefore: failures.unknown += 1
        case .unmatched: failures.unmatched += 1
        case .unrecorded: failures.unrecorded += 1
        default: break
        }
    }

    /// The error of the run; nil if each URL reported a payment.
    var error: SquareError? {
        switch count {
        case 0: .noResponseGiven
        case 1: last
        default: failures == SquareResponseFailures() ? nil : .responsesFailed(failures, of: count)
        }
    }

    /// The error of one response; nil for a payment.
    ///
    /// - Parameter verdict: the result of settling by it; nil if nothing was settled.
    static func error(
        of result: Result<any SquareOutcome, SquareFailure>, _ verdict: SquareSettlement.Verdict?,
        isOfAndroid: Bool = false
    ) -> SquareError? {
        switch result {
        case .failure(let failure): .notResponse(failure, isOfAndroid: isOfAndroid)
        case .success(let outcome):
            if let error = outcome.reportedError {
                if let id = verdict?.paidHandOff {
                    .paidBefore(id: id)
                } else {
                    verdict?.isAmbiguous == true || SquareSettlement.ending(of: outcome) == .unknown
                        ? .outcomeUnknown(error) : .notPaid(error)
                }
            } else if let failure = verdict?.failure {
                .unrecorded(payment: outcome.transactionName, failure)
            } else {
                verdict?.isUnmatched == true ? .unmatched : nil
            }
        }
    }
}

/// Prints a line of JSON to standard output.
enum SquareLine {
    /// Prints the line with escapes in place of the control characters that JSON allows in strings. A state is foreign text,
    /// and U+009B moves the cursor of some terminals. The JSON value stays the same.
    static func print(_ line: String, in environment: CommandEnvironment) async throws {
        var text = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\u{7F}"..."\u{9F}": text += "\\u00" + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        try await environment.standardOutput.write(Array((text + "\n").utf8))
    }
}
