import Testing

/// Everything that runs filters, one test after the other: some look at the threads of the whole process.
@Suite("jq in the process", .serialized)
enum JQTests {}
