// libqrencode for Swift: the public header of Debian's libqrencode-dev, nothing else.
//
// No shims are needed: every function used is an ordinary C function, found by its name (dlsym(3)).

#ifndef CLOVER_CQRENCODE_H
#define CLOVER_CQRENCODE_H

#include <qrencode.h>

#endif
