import CLinux

/// Keeps the memory of this process, which holds tokens, out of files and away from other processes.
enum MemorySecrecy {
    /// Clears the dumpable attribute (prctl(2), PR_SET_DUMPABLE): there is no core file, neither in the working
    /// directory nor through a program that the kernel starts for it (core(5)), and other processes of the same user
    /// cannot read this process's memory and environment (ptrace(2)). Unlike a core limit of zero, child processes do
    /// not inherit it.
    static func establish() {
        clover_set_not_dumpable()
    }
}
