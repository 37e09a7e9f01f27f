internal import CJQ
import CloverJSON

/// The work of one thread: compiles the program, runs it on records, and delivers the results.
struct Worker {
    let pipeline: Pipeline

    func run() {
        JQMemory.watchThread()
        do throws(JQError) {
            let pipeline = pipeline
            let engine = try JQEngine(program: pipeline.program) { pipeline.isStopped }
            pipeline.compiled()
            if pipeline.program.needsWholeStream {
                try StreamWorker(pipeline: pipeline, engine: engine).run()
            } else {
                try runSlices(engine)
            }
        } catch {
            pipeline.stop(.failed(error))
        }
        pipeline.ended()
    }

    private func runSlices(_ engine: JQEngine) throws(JQError) {
        let parser = RecordParser()
        while let slice = pipeline.nextSlice() {
            engine.deliver = { [unowned engine] in
                defer { engine.part = ResultPart() }
                return pipeline.deliver(engine.part, to: slice.sequence, isFinal: false)
            }
            try runRecords(of: slice, engine, parser)
            pipeline.release(slice)
            let isTaken = pipeline.deliver(engine.part, to: slice.sequence, isFinal: true)
            engine.part = ResultPart()
            if !isTaken { break }
        }
        engine.deliver = nil
    }

    /// Leaves the remaining results in the engine's part.
    private func runRecords(
        of slice: RecordSlice, _ engine: JQEngine, _ parser: RecordParser
    ) throws(JQError) {
        try slice.batch.bytes.withUnsafeBufferPointer { bytes throws(JQError) in
            try runRecords(of: slice, in: UnsafeRawBufferPointer(bytes), engine, parser)
        }
    }

    private func runRecords(
        of slice: RecordSlice, in bytes: UnsafeRawBufferPointer, _ engine: JQEngine, _ parser: RecordParser
    ) throws(JQError) {
        for index in slice.records {
            let range = slice.batch.records[index].range
            // Includes the newline after the record.
            let line = UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound...range.upperBound])
            switch try outcome(of: line, engine, parser) {
            case .finished: break
            case .failed(let message): engine.part.append(slice.failure(at: index, message: message))
            case .halted(let halt):
                engine.part.halt = halt
                return
            case .stopped: return
            }
        }
    }

    private func outcome(
        of line: UnsafeRawBufferPointer, _ engine: JQEngine, _ parser: RecordParser
    ) throws(JQError) -> JQEngine.Outcome {
        if let outcome = engine.run(on: line, parser) { return outcome }
        return switch parser.parse(line) {
        case .failed(let message): .failed(message: "parse error: \(message)")
        case .value(let value): try engine.run(consuming: value)
        }
    }
}

/// Runs a program that may read ahead with `input`, counts lines, or slurps: one thread processes the whole stream.
final class StreamWorker {
    private let pipeline: Pipeline
    private let engine: JQEngine
    private let parser = RecordParser()
    private var slice: RecordSlice?
    /// The index of the next record in the slice's batch.
    private var next = 0
    private var lines = 0
    private var isAtEnd = false

    init(pipeline: Pipeline, engine: JQEngine) {
        self.pipeline = pipeline
        self.engine = engine
    }

    /// Returns when the stream has ended, the program has halted, or the run was stopped.
    func run() throws(JQError) {
        // Both are only used inside `engine.run` below.
        engine.nextInput = { [unowned self] in nextValue() }
        engine.deliver = { [unowned self] in deliver(isFinal: false) }
        if pipeline.program.options.slurp {
            var all = jv_array()
            while let value = nextValue() { all = jv_array_append(all, value) }
            _ = take(try engine.run(consuming: all)) { message in
                .failure(RecordFailure(index: 0, id: nil, message: message))
            }
        } else {
            while let value = nextValue(), let slice {
                let index = next - 1
                let continues = take(try engine.run(consuming: value)) { slice.failure(at: index, message: $0) }
                if !continues { break }
            }
        }
        engine.nextInput = nil
        engine.deliver = nil
        _ = deliver(isFinal: true)
    }

    /// Returns false if the run is over.
    private func take(_ outcome: JQEngine.Outcome, _ failure: (String) -> ResultPart.Event) -> Bool {
        switch outcome {
        case .finished: return true
        case .failed(let message):
            engine.part.append(failure(message))
            return true
        case .halted(let halt):
            engine.part.halt = halt
            return false
        case .stopped: return false
        }
    }

    /// The next valid record, owned by the caller; invalid ones are reported and skipped.
    private func nextValue() -> jv? {
        while true {
            guard let slice = currentSlice() else {
                // jq keeps the line number when it first reaches the end, and has none after that.
                if isAtEnd { lines = 0 }
                isAtEnd = true
                engine.setLineNumber(lines)
                return nil
            }
            let index = next
            next += 1
            lines += 1
            engine.setLineNumber(lines)
            let range = slice.batch.records[index].range
            let parsed = slice.batch.bytes.withUnsafeBytes { bytes in
                parser.parse(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound...range.upperBound]))
            }
            switch parsed {
            case .value(let value): return value
            case .failed(let message):
                engine.part.append(slice.failure(at: index, message: "parse error: \(message)"))
            }
        }
    }

    /// The slice with the next record; nil at the end.
    private func currentSlice() -> RecordSlice? {
        if let slice, next < slice.records.upperBound { return slice }
        if let slice {
            pipeline.release(slice)
            self.slice = nil
            // Delivers what is ready before this thread waits for records.
            guard deliver(isFinal: false) else { return nil }
        }
        guard let slice = pipeline.nextSlice() else { return nil }
        self.slice = slice
        next = slice.records.lowerBound
        return slice
    }

    private func deliver(isFinal: Bool) -> Bool {
        defer { engine.part = ResultPart() }
        return pipeline.deliver(engine.part, to: 0, isFinal: isFinal)
    }
}
