import CLinux
import Glibc

/// Keeps the memory of this process, which holds tokens, out of files and of other processes.
enum MemorySecrecy {
    /// No core file: neither one in the working directory, which the limit rules, nor one through a program that the
    /// kernel starts for it, which the limit does not (core(5)). Without the dumpable mark other processes of the same
    /// user cannot read our memory and variables either (prctl(2), PR_SET_DUMPABLE; ptrace(2)).
    static func establish() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        clover_set_not_dumpable()
    }
}
