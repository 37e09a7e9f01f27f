// libjq for Swift: only the two public headers of Debian's libjq-dev.
//
// No shims are needed: every function used is an ordinary C function. The macros (JV_ARRAY, jv_array_foreach) and the
// variadic functions (jv_string_fmt) are not imported by Swift and not used.

#ifndef CLOVER_JQ_H
#define CLOVER_JQ_H

#include <jq.h>
#include <jv.h>

#endif
