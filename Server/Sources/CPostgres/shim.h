// libpq, PostgreSQL's own client library.
#ifndef GATEHOUSE_CPOSTGRES_SHIM_H
#define GATEHOUSE_CPOSTGRES_SHIM_H

#include <libpq-fe.h>

// Macros of postgres_ext.h, which Swift doesn't take.
static const int GATEHOUSE_PG_DIAG_SQLSTATE = PG_DIAG_SQLSTATE;
static const int GATEHOUSE_PG_DIAG_CONSTRAINT_NAME = PG_DIAG_CONSTRAINT_NAME;
static const int GATEHOUSE_PG_DIAG_MESSAGE_PRIMARY = PG_DIAG_MESSAGE_PRIMARY;

#endif
