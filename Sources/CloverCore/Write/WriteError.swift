/// What can go wrong in a write besides its parts' own errors.
package enum WriteError: Error, Sendable, Equatable {
    /// Deleting this needs a yes that was not given. `what` says what would be deleted.
    case confirmationMissing(what: String)
    /// The question was answered with no.
    case declined(what: String)
    /// Standard input is asked for by more than one option.
    case standardInputTwice
    /// A deletion for each line, and nothing in the path for the line to fill.
    case nothingToFill(path: String)
    /// The line to begin with lies behind the end of the input.
    case noSuchLine(Int, lines: Int)
    /// The run came to its end, and some lines failed, each named on standard error.
    case linesFailed(EachTally)
    /// All lines were carried out, and not every answer is whole.
    case answersIncomplete(EachTally)
    /// Nothing was to be sent, and some lines could not be.
    case linesUnfit(EachTally)
    /// A line failed in a way that would repeat for the others, or after which nobody should go on.
    case stopped(FailureFacts, line: Int, EachTally, outcome: LineOutcome)
    /// `--max-time` ran out; `line` is the one to go on from, nil for a single request. `path`: where its request goes, as
    /// it is sent. `obstacle`: what was waited for, where that is known.
    case timeRanOut(
        seconds: Double, line: Int?, path: String?, WriteStanding, movesMoney: Bool, obstacle: String?)
}

/// What became of one line's request.
package enum LineOutcome: String, Sendable, Equatable {
    /// Carried out, and its answer is not whole.
    case answerIncomplete = "answer_incomplete"
    /// Not carried out.
    case failed
    /// It left, and nobody knows.
    case unknown
}
