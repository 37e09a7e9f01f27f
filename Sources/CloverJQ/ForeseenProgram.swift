internal import CJQ
internal import CloverThreads
internal import Synchronization

/// Compiles the program that a command line seems to hold before it has been parsed, because compiling takes longer than
/// all the rest of a short run.
package enum ForeseenProgram {
    private struct Compilation: Sendable {
        let source: String
        let progress: Monitor<Progress>
    }

    private enum Progress: Sendable {
        case underWay
        case compiled(OwnedState)
        /// The one who needs the program compiles it, and learns why.
        case failed
    }

    /// A libjq state that is handed from one thread to the next.
    // Unchecked: whoever takes it out of the monitor is the only one to have it.
    private struct OwnedState: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// What was foreseen, until it is taken.
    private static let foreseen = Mutex<Compilation?>(nil)

    /// Starts compiling on a thread of its own. A program that is not used in the end costs its time and nothing else.
    package static func prepare(_ source: String) {
        // It is compiled only when a record does not go along.
        guard Extraction(of: source) == nil else { return }
        let compilation = Compilation(source: source, progress: Monitor(.underWay))
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-compiler", stackSize: Pipeline.stackSize) {
                let result = compiled(source)
                compilation.progress.update { $0 = result }
            }
        } catch {
            return
        }
        foreseen.withLock { $0 = compilation }
    }

    private static func compiled(_ source: String) -> Progress {
        do throws(JQError) {
            let program = try JQProgram(source: source)
            return .compiled(OwnedState(pointer: try JQCompiler(program: program).makeState()))
        } catch {
            return .failed
        }
    }

    /// The state of this program, which the caller owns; nil when it was not foreseen, or has been taken. Waits for the
    /// end of compiling.
    static func takeState(for program: JQProgram) -> OpaquePointer? {
        // A preamble has a random part.
        guard program.options.arguments.isEmpty, program.directory == nil, program.preamble.isEmpty else { return nil }
        let compilation = foreseen.withLock { foreseen -> Compilation? in
            guard foreseen?.source == program.source else { return nil }
            defer { foreseen = nil }
            return foreseen
        }
        return compilation?.progress.wait { progress -> OpaquePointer?? in
            switch progress {
            case .underWay: nil
            case .compiled(let state): .some(state.pointer)
            case .failed: .some(nil)
            }
        }
    }
}
