// libqrencode for Swift: only the public header of Debian's libqrencode-dev.
//
// No shims are needed: every function used is an ordinary C function, looked up by name (dlsym(3)).

#ifndef CLOVER_CQRENCODE_H
#define CLOVER_CQRENCODE_H

#include <qrencode.h>

#endif
