// The commit that the program was built from.

#ifndef CLOVER_REVISION_H
#define CLOVER_REVISION_H

#pragma clang assume_nonnull begin

/// The commit's hash, with "-dirty" behind it if the sources were changed; empty if the build had no CLOVER_COMMIT.
/// Constant, and never freed.
const char *clover_revision(void);

#pragma clang assume_nonnull end

#endif
