internal import CJQ
internal import CloverSystem
internal import Glibc
internal import Synchronization

/// Creates a libjq state with a compiled program.
struct JQCompiler {
    let program: JQProgram

    /// Compiles the program, which takes about 13 ms because libjq compiles its own library each time.
    ///
    /// The caller owns the state. Any thread may use it, one at a time.
    func makeState() throws(JQError) -> OpaquePointer {
        guard let state = jq_init() else { throw .outOfMemory }
        // jq_init of libjq 1.6 leaves these three unset, and jq_next uses the first.
        jq_set_nomem_handler(state, JQMemory.handler, nil)
        jq_set_input_cb(state, nil, nil)
        jq_set_debug_cb(state, nil, nil)
        setSearchPath(state)
        do {
            try compile(state)
        } catch {
            var unusable: OpaquePointer? = state
            jq_teardown(&unusable)
            throw error
        }
        return state
    }

    private func compile(_ state: OpaquePointer) throws(JQError) {
        let errors = CompileErrors()
        // `errors` outlives every use: only jq_compile_args below calls the callback, which is then reset.
        jq_set_error_cb(state, CompileErrors.callback, Unmanaged.passUnretained(errors).toOpaque())
        defer {
            withExtendedLifetime(errors) { jq_set_error_cb(state, nil, nil) }
        }
        // The program is first compiled alone, so that messages show the user's own line.
        guard compile(program.source, state) else {
            // It may use the shop's functions, unless it defines them itself.
            if program.shop != nil {
                let alone = errors.text
                if compile(program.preamble + ShopFunctions.definitions + program.source, state) { return }
                throw .compile(message: alone)
            }
            throw .compile(message: errors.text)
        }
        guard !program.preamble.isEmpty else { return }
        if compile(program.preamble + program.source, state) { return }
        // A program that starts with `import` cannot have definitions before it, so it gets libjq's own versions.
        guard compile(program.source, state) else { throw .compile(message: errors.text) }
    }

    private func compile(_ text: String, _ state: OpaquePointer) -> Bool {
        jq_compile_args(state, text, arguments()) != 0
    }

    /// The program's variables, including `$ARGS`, as an object; libjq 1.6 frees an array twice.
    private func arguments() -> jv {
        var named = jv_object()
        for argument in program.options.arguments {
            // If a name occurs twice, the first takes precedence.
            if jv_object_has(jv_copy(named), JQValue.string(argument.name)) != 0 { continue }
            let value: jv =
                switch argument.value {
                case .string(let text): JQValue.string(text)
                case .json(let text): JQValue.parse(text) ?? jv_null()
                }
            named = jv_object_set(named, JQValue.string(argument.name), value)
        }
        var all = jv_object()
        all = jv_object_set(all, JQValue.string("positional"), jv_array())
        all = jv_object_set(all, JQValue.string("named"), jv_copy(named))
        if let shop = program.shop {
            named = jv_object_set(
                named, JQValue.string(ShopFunctions.variable), JQValue.parse(shop.json) ?? jv_null())
        }
        return jv_object_set(named, JQValue.string("ARGS"), all)
    }

    /// Sets the search path for modules to jq's default; `$ORIGIN` is the directory of this executable.
    private func setSearchPath(_ state: OpaquePointer) {
        var path = jv_array()
        for folder in ["~/.jq", "$ORIGIN/../lib/jq", "$ORIGIN/lib"] {
            path = jv_array_append(path, JQValue.string(folder))
        }
        jq_set_attr(state, JQValue.string("JQ_LIBRARY_PATH"), path)
        let executable = Self.realPath("/proc/self/exe") ?? "/"
        let folder = executable.prefix(upTo: executable.lastIndex(of: "/") ?? executable.endIndex)
        jq_set_attr(state, JQValue.string("JQ_ORIGIN"), JQValue.string(String(folder)))
        let directory = program.directory ?? "."
        jq_set_attr(state, JQValue.string("PROGRAM_ORIGIN"), JQValue.string(Self.realPath(directory) ?? directory))
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// Collects libjq's messages during compilation.
final class CompileErrors {
    private var messages: [String] = []

    /// For `jq_set_error_cb`; the data is an unretained `CompileErrors`.
    static let callback: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { data, message in
        let text = jq_format_error(message)
        guard let data, jv_get_kind(text) == JV_KIND_STRING else { return jv_free(text) }
        Unmanaged<CompileErrors>.fromOpaque(data).takeUnretainedValue().messages.append(JQValue.text(consuming: text))
    }

    /// The messages as jq prints them, without the last line break.
    var text: String {
        var text = messages.joined(separator: "\n")
        while text.last == "\n" { text.removeLast() }
        return text
    }
}

/// Initializes the regular expression library that libjq uses.
///
/// Oniguruma initializes itself on first use, without a lock; if two threads used `test` for the first time at once,
/// both would fill its tables. So its own function is called before there are threads. It is looked up by name because
/// Debian's libjq-dev does not include Oniguruma's header.
enum OnigurumaSetup {
    /// Runs once per process; later uses cost nothing.
    static let once: Void = {
        typealias Initialize = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>?, Int32) -> Int32
        guard let function = dlsym(nil, "onig_initialize"), let encoding = dlsym(nil, "OnigEncodingUTF8") else {
            return
        }
        let initialize = unsafeBitCast(function, to: Initialize.self)
        var encodings: [UnsafeMutableRawPointer?] = [encoding]
        _ = initialize(&encodings, 1)
    }()
}

/// Compiles the program that a command line probably contains before the command line is parsed, because compiling
/// takes longer than the rest of a short run.
package enum PrecompiledProgram {
    private struct Compilation: Sendable {
        let source: String
        let progress: Monitor<Progress>
    }

    private enum Progress: Sendable {
        case underWay
        case compiled(OwnedState)
        /// The caller compiles the program again and gets the error.
        case failed
    }

    /// A libjq state that is passed from one thread to another.
    // Unchecked: only one thread at a time has it, the one that takes it out of the monitor.
    private struct OwnedState: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// The compilation, until it is taken.
    private static let foreseen = Mutex<Compilation?>(nil)

    /// Starts compiling on a new thread. If the program is not used, only time is lost.
    package static func prepare(_ source: String) {
        // An extraction is only compiled if a record does not fit it.
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

    /// The state for this program, owned by the caller; nil if it was not prepared or was already taken. Waits until
    /// compilation has ended.
    static func takeState(for program: JQProgram) -> OpaquePointer? {
        // A preamble contains a random part.
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
