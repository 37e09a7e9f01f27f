// libqrencode for Swift: the public header of Debian's libqrencode-dev, nothing else.
//
// No shims are needed: every function used is an ordinary C function.

#ifndef CLOVER_CQRENCODE_H
#define CLOVER_CQRENCODE_H

#include <qrencode.h>

#endif
