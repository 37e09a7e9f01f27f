import CLinux

/// Settings of the C library for freed memory (mallopt(3)).
enum MemoryReuse {
    /// Pages of records are allocated and freed many times a second, so keep their memory for reuse. Returning it to
    /// the kernel and getting it back, zeroed, costs a fifth of the processor time of a long run. All threads share
    /// two arenas, because one thread frees what another one has read.
    static func establish() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_ARENA_MAX, 2)
    }
}
