// libzstd for Swift: only the public header of Debian's libzstd-dev.
//
// No shims are needed: every function used is an ordinary C function.

#ifndef CLOVER_CZSTD_H
#define CLOVER_CZSTD_H

#include <zstd.h>

#endif
