// libzstd for Swift: the public header of Debian's libzstd-dev, nothing else.
//
// No shims are needed: every function used is an ordinary C function.

#ifndef CLOVER_CZSTD_H
#define CLOVER_CZSTD_H

#include <zstd.h>

#endif
