// The D-Bus part of libsystemd, sd-bus(3), as a table of functions.
//
// The library is not linked: finding and binding it would cost every start of the program about two milliseconds, and
// few runs need a bus. dlopen(3) loads it when one does.
#ifndef CLOVER_CSYSTEMD_H
#define CLOVER_CSYSTEMD_H

#include <dlfcn.h>
#include <stddef.h>
#include <systemd/sd-bus.h>

// Every function that is used. A name that the header does not declare is a compile error here; clover_systemd_fill
// reports one that the installed library lacks.
#define CLOVER_SYSTEMD_FUNCTIONS(FUNCTION)     \
    FUNCTION(sd_bus_new)                       \
    FUNCTION(sd_bus_set_address)               \
    FUNCTION(sd_bus_set_bus_client)            \
    FUNCTION(sd_bus_negotiate_fds)             \
    FUNCTION(sd_bus_start)                     \
    FUNCTION(sd_bus_close_unref)               \
    FUNCTION(sd_bus_is_open)                   \
    FUNCTION(sd_bus_is_ready)                  \
    FUNCTION(sd_bus_get_fd)                    \
    FUNCTION(sd_bus_get_events)                \
    FUNCTION(sd_bus_get_timeout)               \
    FUNCTION(sd_bus_process)                   \
    FUNCTION(sd_bus_call_async)                \
    FUNCTION(sd_bus_add_match_async)           \
    FUNCTION(sd_bus_slot_unref)                \
    FUNCTION(sd_bus_message_new_method_call)   \
    FUNCTION(sd_bus_message_unref)             \
    FUNCTION(sd_bus_message_sensitive)         \
    FUNCTION(sd_bus_message_get_error)         \
    FUNCTION(sd_bus_message_get_sender)        \
    FUNCTION(sd_bus_message_get_path)          \
    FUNCTION(sd_bus_message_get_interface)     \
    FUNCTION(sd_bus_message_get_member)        \
    FUNCTION(sd_bus_message_append_basic)      \
    FUNCTION(sd_bus_message_append_array)      \
    FUNCTION(sd_bus_message_open_container)    \
    FUNCTION(sd_bus_message_close_container)   \
    FUNCTION(sd_bus_message_peek_type)         \
    FUNCTION(sd_bus_message_read_basic)        \
    FUNCTION(sd_bus_message_read_array)        \
    FUNCTION(sd_bus_message_enter_container)   \
    FUNCTION(sd_bus_message_exit_container)    \
    FUNCTION(sd_bus_message_at_end)

// Pointers to the functions, each with its own type and name.
struct clover_systemd {
#define CLOVER_SYSTEMD_FIELD(name) __typeof__(name) *_Nonnull name;
    CLOVER_SYSTEMD_FUNCTIONS(CLOVER_SYSTEMD_FIELD)
#undef CLOVER_SYSTEMD_FIELD
};

// Fills the table from a library opened with dlopen(3). Returns null, or the name of the first function that the
// library lacks; the table must then not be used.
static inline const char *_Nullable clover_systemd_fill(struct clover_systemd *_Nonnull table, void *_Nonnull library) {
    void *address = NULL;
#define CLOVER_SYSTEMD_FILL(function)              \
    address = dlsym(library, #function);           \
    if (address == NULL) return #function;         \
    table->function = (__typeof__(function) *)address;
    CLOVER_SYSTEMD_FUNCTIONS(CLOVER_SYSTEMD_FILL)
#undef CLOVER_SYSTEMD_FILL
    return NULL;
}

#endif
