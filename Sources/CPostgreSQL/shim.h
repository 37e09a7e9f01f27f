// The part of libpq that exports use, as a table of functions (PostgreSQL 15: libpq, chapter 34).
//
// The library is not linked, and its headers are not needed: few runs talk to PostgreSQL. dlopen(3) loads it when one
// does. What is declared here has been the same since PostgreSQL 9.
#ifndef CLOVER_CPOSTGRESQL_H
#define CLOVER_CPOSTGRESQL_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

typedef struct clover_pq_option {
    char *_Nullable keyword;
    char *_Nullable envvar;
    char *_Nullable compiled;
    char *_Nullable val;
    char *_Nullable label;
    char *_Nullable dispchar;
    int dispsize;
} clover_pq_option;

// PGnotify
typedef struct clover_pq_notification {
    char *_Nullable relname;
    int be_pid;
    char *_Nullable extra;
    struct clover_pq_notification *_Nullable next;
} clover_pq_notification;

// ConnStatusType
enum { CLOVER_PQ_CONNECTION_OK = 0, CLOVER_PQ_CONNECTION_BAD = 1 };
// PostgresPollingStatusType
enum { CLOVER_PQ_POLLING_FAILED = 0, CLOVER_PQ_POLLING_READING = 1, CLOVER_PQ_POLLING_WRITING = 2,
       CLOVER_PQ_POLLING_OK = 3 };
// ExecStatusType
enum { CLOVER_PQ_EMPTY_QUERY = 0, CLOVER_PQ_COMMAND_OK = 1, CLOVER_PQ_TUPLES_OK = 2, CLOVER_PQ_COPY_OUT = 3,
       CLOVER_PQ_COPY_IN = 4, CLOVER_PQ_COPY_BOTH = 8, CLOVER_PQ_SINGLE_TUPLE = 9 };
// PGVerbosity
enum { CLOVER_PQ_ERRORS_VERBOSE = 2, CLOVER_PQ_ERRORS_DEFAULT = 1 };
// Fields of an error (PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_MESSAGE_DETAIL)
enum { CLOVER_PQ_SQLSTATE = 'C', CLOVER_PQ_MESSAGE = 'M', CLOVER_PQ_DETAIL = 'D' };

typedef void (*clover_pq_notice)(void *_Nullable context, const char *_Nullable message);

// Every function that is used; clover_pq_fill reports one that the installed library lacks.
#define CLOVER_PQ_FUNCTIONS(FUNCTION)                                                                             \
    FUNCTION(PGconn *_Nullable, PQconnectStartParams,                                                              \
             (const char *_Nullable const *_Nonnull, const char *_Nullable const *_Nonnull, int))                  \
    FUNCTION(int, PQconnectPoll, (PGconn *_Nonnull))                                                               \
    FUNCTION(int, PQstatus, (const PGconn *_Nonnull))                                                              \
    FUNCTION(int, PQsocket, (const PGconn *_Nonnull))                                                              \
    FUNCTION(void, PQfinish, (PGconn *_Nonnull))                                                                   \
    FUNCTION(char *_Nullable, PQerrorMessage, (const PGconn *_Nonnull))                                            \
    FUNCTION(int, PQsetErrorVerbosity, (PGconn *_Nonnull, int))                                                    \
    FUNCTION(clover_pq_notice _Nullable, PQsetNoticeProcessor,                                                     \
             (PGconn *_Nonnull, clover_pq_notice _Nullable, void *_Nullable))                                      \
    FUNCTION(clover_pq_option *_Nullable, PQconninfo, (PGconn *_Nonnull))                                          \
    FUNCTION(clover_pq_option *_Nullable, PQconninfoParse,                                                         \
             (const char *_Nonnull, char *_Nullable *_Nonnull))                                                    \
    FUNCTION(void, PQconninfoFree, (clover_pq_option *_Nullable))                                                  \
    FUNCTION(void, PQfreemem, (void *_Nullable))                                                                   \
    FUNCTION(int, PQconnectionNeedsPassword, (const PGconn *_Nonnull))                                             \
    FUNCTION(int, PQbackendPID, (const PGconn *_Nonnull))                                                          \
    FUNCTION(clover_pq_notification *_Nullable, PQnotifies, (PGconn *_Nonnull))                                    \
    FUNCTION(int, PQserverVersion, (const PGconn *_Nonnull))                                                       \
    FUNCTION(int, PQlibVersion, (void))                                                                            \
    FUNCTION(int, PQsetnonblocking, (PGconn *_Nonnull, int))                                                       \
    FUNCTION(int, PQflush, (PGconn *_Nonnull))                                                                     \
    FUNCTION(int, PQconsumeInput, (PGconn *_Nonnull))                                                              \
    FUNCTION(int, PQisBusy, (PGconn *_Nonnull))                                                                    \
    FUNCTION(PGresult *_Nullable, PQgetResult, (PGconn *_Nonnull))                                                 \
    FUNCTION(int, PQsendQueryParams,                                                                               \
             (PGconn *_Nonnull, const char *_Nonnull, int, const unsigned *_Nullable,                              \
              const char *_Nullable const *_Nullable, const int *_Nullable, const int *_Nullable, int))            \
    FUNCTION(int, PQsendPrepare,                                                                                   \
             (PGconn *_Nonnull, const char *_Nonnull, const char *_Nonnull, int, const unsigned *_Nullable))       \
    FUNCTION(int, PQsendDescribePrepared, (PGconn *_Nonnull, const char *_Nonnull))                                \
    FUNCTION(int, PQsendQueryPrepared,                                                                             \
             (PGconn *_Nonnull, const char *_Nonnull, int, const char *_Nullable const *_Nullable,                 \
              const int *_Nullable, const int *_Nullable, int))                                                    \
    FUNCTION(int, PQsetSingleRowMode, (PGconn *_Nonnull))                                                          \
    FUNCTION(int, PQputCopyData, (PGconn *_Nonnull, const char *_Nonnull, int))                                    \
    FUNCTION(int, PQputCopyEnd, (PGconn *_Nonnull, const char *_Nullable))                                         \
    FUNCTION(int, PQresultStatus, (const PGresult *_Nullable))                                                     \
    FUNCTION(char *_Nullable, PQresultErrorField, (const PGresult *_Nonnull, int))                                 \
    FUNCTION(void, PQclear, (PGresult *_Nullable))                                                                 \
    FUNCTION(int, PQntuples, (const PGresult *_Nonnull))                                                           \
    FUNCTION(int, PQnfields, (const PGresult *_Nonnull))                                                           \
    FUNCTION(char *_Nullable, PQfname, (const PGresult *_Nonnull, int))                                            \
    FUNCTION(unsigned, PQftype, (const PGresult *_Nonnull, int))                                                   \
    FUNCTION(char *_Nullable, PQgetvalue, (const PGresult *_Nonnull, int, int))                                    \
    FUNCTION(int, PQgetisnull, (const PGresult *_Nonnull, int, int))                                               \
    FUNCTION(int, PQgetlength, (const PGresult *_Nonnull, int, int))

typedef struct clover_pq {
#define CLOVER_PQ_MEMBER(result, name, arguments) result(*_Nonnull name) arguments;
    CLOVER_PQ_FUNCTIONS(CLOVER_PQ_MEMBER)
#undef CLOVER_PQ_MEMBER
} clover_pq;

/// Fills the table from a library that dlopen(3) has returned.
/// - Returns: NULL, or the name of the first function that the library lacks.
static inline const char *_Nullable clover_pq_fill(clover_pq *_Nonnull table, void *_Nonnull library) {
    void *address;
#define CLOVER_PQ_FILL(result, name, arguments)    \
    address = dlsym(library, #name);               \
    if (address == NULL) return #name;             \
    table->name = (__typeof__(table->name))address;
    CLOVER_PQ_FUNCTIONS(CLOVER_PQ_FILL)
#undef CLOVER_PQ_FILL
    return NULL;
}

/// Takes the place of libpq's own function for notices, which would print them.
static inline void clover_pq_ignore(void *_Nullable context, const char *_Nullable message) {
    (void)context;
    (void)message;
}

#endif
