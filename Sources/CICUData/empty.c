// A common data file of ICU without entries (ICU, source/stubdata/stubdata.cpp; the layout is in common/ucmndata.h). The
// linker takes this definition before the one in Foundation's archive. The name has ICU's version: with a toolchain that
// has another, nothing changes but the size of the program.
#include <stdint.h>

struct icu_table_of_contents {
    uint16_t header_size;
    uint8_t magic[2];
    struct {
        uint16_t size, reserved;
        uint8_t is_big_endian, charset_family, char_size, reserved_byte;
        uint8_t format[4], format_version[4], data_version[4];
    } info;
    uint8_t padding[8];
    uint32_t count, reserved;
};

_Alignas(16) const struct icu_table_of_contents icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info = {.size = 20, .char_size = 2, .format = {'T', 'o', 'C', 'P'}, .format_version = {1}},
};
