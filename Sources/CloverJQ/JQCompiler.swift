internal import CJQ
internal import Glibc

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
        guard compile(program.source, state) else { throw .compile(message: errors.text) }
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
