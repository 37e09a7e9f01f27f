// zlib for Swift: the public header of Debian's zlib1g-dev, and one macro.

#ifndef CLOVER_CZLIB_H
#define CLOVER_CZLIB_H

#include <zlib.h>

// deflateInit2 is a macro that passes the sizes of the header's own structures; Swift does not import it.
static inline int clover_deflate_init(z_stream *_Nonnull stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

// inflateInit2 is a macro too.
static inline int clover_inflate_init(z_stream *_Nonnull stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

#endif
