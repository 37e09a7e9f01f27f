import CLinux

/// Keeps the memory of this process, which holds tokens, out of files and of other processes.
enum MemorySecrecy {
    /// Without the dumpable mark (prctl(2), PR_SET_DUMPABLE) there is no core file, neither in the working directory nor
    /// through a program that the kernel starts for it (core(5)), and other processes of the same user cannot read our
    /// memory and variables (ptrace(2)). Unlike a limit of zero it does not pass to the programs that we start.
    static func establish() {
        clover_set_not_dumpable()
    }
}
