// The part of libxlsxwriter that writes a workbook, as a table of functions.
//
// The library is not linked: few runs write a workbook. dlopen(3) loads it when one does.
#ifndef CLOVER_CXLSXWRITER_H
#define CLOVER_CXLSXWRITER_H

#include <dlfcn.h>
#include <stddef.h>
#include <xlsxwriter.h>

// Every function that is used. A name that the header does not declare is a compile error here; clover_xlsxwriter_fill
// reports one that the installed library lacks.
#define CLOVER_XLSXWRITER_FUNCTIONS(FUNCTION) \
    FUNCTION(workbook_new)                    \
    FUNCTION(workbook_close)                  \
    FUNCTION(workbook_add_worksheet)          \
    FUNCTION(workbook_add_format)             \
    FUNCTION(workbook_set_properties)         \
    FUNCTION(worksheet_write_number)          \
    FUNCTION(worksheet_write_string)          \
    FUNCTION(worksheet_set_column)            \
    FUNCTION(worksheet_freeze_panes)          \
    FUNCTION(worksheet_autofilter)            \
    FUNCTION(worksheet_set_landscape)         \
    FUNCTION(worksheet_fit_to_pages)          \
    FUNCTION(worksheet_repeat_rows)           \
    FUNCTION(format_set_bold)                 \
    FUNCTION(format_set_num_format)           \
    FUNCTION(format_set_text_wrap)            \
    FUNCTION(format_set_align)                \
    FUNCTION(format_set_bottom)               \
    FUNCTION(format_set_top)                  \
    FUNCTION(lxw_strerror)

typedef struct clover_xlsxwriter {
#define CLOVER_XLSXWRITER_MEMBER(function) __typeof__(function) *_Nonnull function;
    CLOVER_XLSXWRITER_FUNCTIONS(CLOVER_XLSXWRITER_MEMBER)
#undef CLOVER_XLSXWRITER_MEMBER
} clover_xlsxwriter;

/// Fills the table from a library that dlopen(3) has returned.
/// - Returns: NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable clover_xlsxwriter_fill(
    clover_xlsxwriter *_Nonnull table, void *_Nonnull library) {
    void *address;
#define CLOVER_XLSXWRITER_FILL(function)           \
    address = dlsym(library, #function);           \
    if (address == NULL) return #function;         \
    table->function = (__typeof__(function) *)address;
    CLOVER_XLSXWRITER_FUNCTIONS(CLOVER_XLSXWRITER_FILL)
#undef CLOVER_XLSXWRITER_FILL
    return NULL;
}

#endif
