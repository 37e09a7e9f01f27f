internal import CJQ
internal import Glibc
import Synchronization

/// A program that is ready to run on the current thread: a libjq state with the compiled program, or an extractor that
/// works without one until a record needs it.
///
/// libjq has no call to interrupt a run, so no other thread can end one. A caller that stops waiting abandons the
/// thread, and the process exits regardless of it.
final class JQEngine {
    /// The result of a run on one input.
    enum Outcome {
        case finished
        /// An uncaught error.
        case failed(message: String)
        case halted(FilterReport.Halt)
        /// The pipeline was stopped, or `deliver` returned false.
        case stopped
    }

    /// Results and messages since the last delivery.
    var part = ResultPart()
    /// Returns the next value for the program's `input`, owned by the caller; nil at the end of the stream.
    var nextInput: (() -> jv?)?
    /// Called during a run when `part` has become large; returns false to stop the run.
    var deliver: (() -> Bool)?

    // Owned; torn down in deinit. Nil until needed.
    private var state: OpaquePointer?
    private let extractor: Extractor?
    private let program: JQProgram
    private let writer: ResultWriter
    private let isStopped: () -> Bool
    /// After a halt, libjq 1.6 must not be started again: it would free the message a second time.
    private var hasHalted = false

    /// The size in bytes at which a part is delivered before its records are done.
    private static let largePart = 256 << 10

    /// Compiles the program, unless it is an extraction.
    /// - Parameter isStopped: called between results; must be cheap.
    init(program: JQProgram, isStopped: @escaping () -> Bool) throws(JQError) {
        self.program = program
        self.isStopped = isStopped
        writer = ResultWriter(options: program.options)
        extractor = program.extraction.map { Extractor($0) }
        if extractor == nil { try makeInterpreter() }
    }

    /// Takes about 13 ms if the program is not compiled yet, because libjq compiles its own library each time.
    private func makeInterpreter() throws(JQError) {
        state = PrecompiledProgram.takeState(for: program)
        if state == nil { state = try JQCompiler(program: program).makeState() }
        // Looks up symbols, and may have to wait while another library is loaded.
        _ = OnigurumaSetup.once
        // The callbacks only run inside jq_next, while the engine is alive. The engine owns the state.
        let this = Unmanaged.passUnretained(self).toOpaque()
        jq_set_debug_cb(state, { JQEngine.from($0)?.debug(consuming: $1) ?? jv_free($1) }, this)
        jq_set_input_cb(state, { JQEngine.from($1)?.nextInput?() ?? jv_invalid() }, this)
    }

    deinit {
        jq_teardown(&state)
    }

    /// Runs the program on the needed parts of a record, without building the rest.
    ///
    /// - Returns: nil if the whole record must be parsed.
    func run(on line: UnsafeRawBufferPointer, _ parser: RecordParser) -> Outcome? {
        guard let extractor, extractor.need != .whole, let part = parser.parse(line, for: extractor.need) else {
            return nil
        }
        defer { jv_free(part) }
        guard let result = extractor.result(of: part) else { return nil }
        if hasHalted || isStopped() {
            jv_free(result)
            return .stopped
        }
        return take(result)
    }

    /// Runs the program on one input, which it consumes. After `.halted` it only returns `.stopped`.
    /// - Throws: if an extraction needs an interpreter and it cannot be created.
    func run(consuming input: jv) throws(JQError) -> Outcome {
        if hasHalted || isStopped() {
            jv_free(input)
            return .stopped
        }
        if let result = extractor?.result(of: input) {
            jv_free(input)
            return take(result)
        }
        if state == nil {
            do {
                try makeInterpreter()
            } catch {
                jv_free(input)
                throw error
            }
        }
        jq_start(state, input, 0)
        while !isStopped() {
            let result = jq_next(state)
            if jv_is_valid(result) == 0 { return outcome(consuming: result) }
            if case .stopped = take(result) { return .stopped }
        }
        return .stopped
    }

    /// Writes a result, and delivers the part if it has become large. Consumes the value.
    private func take(_ result: jv) -> Outcome {
        writer.write(consuming: result, to: &part)
        if part.size >= Self.largePart, let deliver, !deliver() { return .stopped }
        return .finished
    }

    /// Sets the value of `input_line_number`.
    func setLineNumber(_ number: Int) {
        guard program.countsLines else { return }
        jq_set_attr(state, JQValue.string("PROGRAM_ORIGIN"), jv_number(Double(number)))
    }

    private static func from(_ data: UnsafeMutableRawPointer?) -> JQEngine? {
        data.map { Unmanaged<JQEngine>.fromOpaque($0).takeUnretainedValue() }
    }

    private func outcome(consuming end: jv) -> Outcome {
        if jq_halted(state) != 0 {
            jv_free(end)
            hasHalted = true
            if isStopped() { return .stopped }
            return .halted(FilterReport.Halt(status: haltStatus(), message: haltMessage()))
        }
        guard jv_invalid_has_msg(jv_copy(end)) != 0 else {
            jv_free(end)
            return .finished
        }
        let thrown = jv_invalid_get_msg(end)
        let isText = jv_get_kind(thrown) == JV_KIND_STRING
        let text = JQValue.plainText(consuming: thrown)
        return .failed(message: isText ? text : "(not a string): \(text)")
    }

    private func haltStatus() -> Int32 {
        let code = jq_get_exit_code(state)
        defer { jv_free(code) }
        // `halt` sets no code.
        if jv_is_valid(code) == 0 { return 0 }
        guard jv_get_kind(code) == JV_KIND_NUMBER else { return 5 }
        return Int32(exactly: jv_number_value(code).rounded(.towardZero)) ?? 5
    }

    private func haltMessage() -> [UInt8] {
        let message = jq_get_error_message(state)
        switch jv_get_kind(message) {
        case JV_KIND_INVALID, JV_KIND_NULL:
            jv_free(message)
            return []
        case JV_KIND_STRING:
            return Array(JQValue.text(consuming: message).utf8)
        default:
            return Array((JQValue.text(consuming: jv_dump_string(message, 0)) + "\n").utf8)
        }
    }

    /// Handles a value of `debug`, or of `stderr` as the preamble sends it.
    private func debug(consuming value: jv) {
        if let text = standardErrorText(of: value) {
            part.append(.message(Array(text.utf8)))
            jv_free(value)
        } else {
            let pair = jv_array_append(jv_array_append(jv_array(), JQValue.string("DEBUG:")), value)
            part.append(.message(Array((JQValue.text(consuming: jv_dump_string(pair, 0)) + "\n").utf8)))
        }
    }

    private func standardErrorText(of value: jv) -> String? {
        guard !program.preamble.isEmpty, jv_get_kind(value) == JV_KIND_ARRAY, jv_array_length(jv_copy(value)) == 2
        else { return nil }
        let mark = jv_array_get(jv_copy(value), 0)
        guard jv_equal(mark, JQValue.string(program.standardErrorMark)) != 0 else { return nil }
        return JQValue.text(consuming: jv_dump_string(jv_array_get(jv_copy(value), 1), 0))
    }
}

/// Handles memory exhaustion in libjq, which by default ends the process with SIGABRT (jv_nomem_handler in jv.h).
package enum JQMemory {
    private struct State {
        /// Released when memory runs out, so that there is enough left to report it.
        var reserve = malloc(JQMemory.reserveSize)
        var end: (@Sendable () -> Never)?
        var isEnding = false
    }

    private static let reserveSize = 1 << 20
    private static let state = Mutex(State())

    /// Sets the function that then ends the process; called once, on the thread that ran out of memory.
    package static func onExhaustion(_ end: @escaping @Sendable () -> Never) {
        state.withLock { $0.end = end }
    }

    /// Called by libjq, which aborts if it returns.
    static let handler: jv_nomem_handler_f = { _ in
        let (end, isFirst): ((@Sendable () -> Never)?, Bool) = state.withLock { state in
            defer { state.isEnding = true }
            free(state.reserve)
            state.reserve = nil
            return (state.end, !state.isEnding)
        }
        guard let end else { return }
        if isFirst { end() }
        // Another thread is ending the process.
        while true { pause() }
    }

    /// Sets the handler for this thread's work outside a program, such as parsing.
    static func watchThread() { jv_nomem_handler(handler, nil) }
}
