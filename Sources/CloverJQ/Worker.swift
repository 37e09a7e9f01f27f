internal import CJQ
internal import CloverRecords

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
                try StreamRun(pipeline: pipeline, engine: engine).run()
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
        let outcome = slice.batch.bytes.withUnsafeBytes { bytes in
            Result { () throws(JQError) in try runRecords(of: slice, in: bytes, engine, parser) }
        }
        try outcome.get()
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
