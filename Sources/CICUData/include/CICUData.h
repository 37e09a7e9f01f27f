// Empty data for ICU, in place of 34 MB that Foundation brings along. GRDB and Yams import Foundation; this program asks it
// for no locale, calendar, time zone, collation or character set, which are all that ICU keeps there.
#ifndef CICUDATA_H
#define CICUDATA_H
#endif
