#include "CRevision.h"

#define TEXT(value) #value
#define EXPANDED(value) TEXT(value)

// CLOVER_COMMIT is set by Package.swift. A C target, because a Swift target cannot be given a value, and so that a new
// commit compiles only this file again.
const char *clover_revision(void) {
#ifdef CLOVER_COMMIT
    return EXPANDED(CLOVER_COMMIT);
#else
    return "";
#endif
}
