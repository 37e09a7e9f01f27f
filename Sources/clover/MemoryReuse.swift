import CLinux

/// How the C library deals with memory that was freed (mallopt(3)).
enum MemoryReuse {
    /// Pages of records come and go many times a second: their memory is kept for the next ones. Given back each time, it
    /// costs a fifth of the processor time of a long run to have it again, empty, from the kernel. All threads share two
    /// pools, because what one of them has read another one frees.
    static func establish() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_ARENA_MAX, 2)
    }
}
