#!/usr/bin/env python3
"""Fills a database with accounts, millions of them in minutes: rows like those of users who signed in with
Google once. For measurements only, while no server runs.

    Benchmarks/seed.py DATA_FOLDER COUNT          SQLite
    Benchmarks/seed.py postgres://… COUNT         PostgreSQL, with psql, as a superuser

The database must have a project: start a --dev server on it once. Accounts that an earlier run made stay, and
COUNT is how many there are afterwards.
"""

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

PORTION = 100_000

# n.i is the account's number. The server's ids are random. Here a multiplication scatters them, so that within a
# portion the pages of an index are visited as with random ids.
ACCOUNTS = """
INSERT INTO accounts (project, uid, email, is_email_verified, has_email_link, display_name, assigned_fields,
  is_disabled, is_custom, created_at, last_login_at, last_refresh_at, valid_since_seconds)
SELECT {project}, {uid}, 'seed' || n.i || '@example.com', 1, 0, 'Seed ' || n.i, 0, 0, 0,
  1700000000000, 1700000000000, 1700000000000, 1700000000
FROM {numbers}
"""
IDENTITIES = """
INSERT INTO identities (project, provider, subject, account, position, email, display_name, linked_at)
SELECT a.project, 'google.com', '9' || substr(a.email, 5, length(a.email) - 16), a.key, 0, a.email,
  a.display_name, 1700000000000
FROM accounts AS a WHERE a.key > {last} AND a.uid LIKE 'seed%'
"""


def portions(done: int, count: int):
    for first in range(done + 1, count + 1, PORTION):
        yield first, min(first + PORTION - 1, count)


def show(done: int, count: int, started: float) -> None:
    print(f"{done:,} of {count:,} accounts after {time.monotonic() - started:.0f} s", flush=True)


def sqlite(folder: str, count: int) -> None:
    database = sqlite3.connect(Path(folder) / "gatehouse.sqlite", isolation_level=None)
    for setting in ("synchronous = OFF", "cache_size = -2000000", "journal_mode = WAL"):
        database.execute(f"PRAGMA {setting}")
    [project] = database.execute("SELECT min(key) FROM projects").fetchone()
    [done] = database.execute("SELECT count(*) FROM accounts WHERE uid LIKE 'seed%'").fetchone()
    started = time.monotonic()
    for first, last in portions(done, count):
        [key] = database.execute("SELECT coalesce(max(key), 0) FROM accounts").fetchone()
        numbers = (
            f"(WITH RECURSIVE r(i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM r WHERE i < {last}) "
            "SELECT i FROM r) AS n")
        uid = "'seed' || printf('%08x', (n.i * 2654435761) % 4294967296) || printf('%08d', n.i)"
        database.execute("BEGIN IMMEDIATE")
        database.execute(ACCOUNTS.format(project=project, uid=uid, numbers=numbers))
        database.execute(IDENTITIES.format(last=key))
        database.execute("COMMIT")
        show(last, count, started)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("ANALYZE")


def postgres(url: str, count: int) -> None:
    def psql(sql: str) -> str:
        return subprocess.run(
            ["psql", url, "-qtA", "-v", "ON_ERROR_STOP=1"], input=sql, capture_output=True, text=True,
            check=True).stdout.strip()

    project = int(psql("SELECT min(key) FROM projects"))
    done = int(psql("SELECT count(*) FROM accounts WHERE uid LIKE 'seed%'"))
    started = time.monotonic()
    for first, last in portions(done, count):
        key = int(psql("SELECT coalesce(max(key), 0) FROM accounts"))
        uid = "'seed' || lpad(to_hex((n.i * 2654435761) % 4294967296), 8, '0') || lpad(n.i::text, 8, '0')"
        numbers = f"(SELECT generate_series({first}::bigint, {last}) AS i) AS n"
        # The trigger that counts accounts would update one row 100,000 times in a transaction, which keeps all its
        # versions. So triggers are off, also those that check foreign keys.
        psql(
            "SET synchronous_commit = off; SET session_replication_role = replica; BEGIN;"
            f"UPDATE account_counts SET accounts = accounts + {last - first + 1} WHERE project = {project} AND slot = 0;"
            + ACCOUNTS.format(project=project, uid=uid, numbers=numbers) + ";"
            + IDENTITIES.format(last=key) + "; COMMIT")
        show(last, count, started)
    psql("VACUUM ANALYZE accounts; VACUUM ANALYZE identities")


def seed(place: str, count: int) -> None:
    if place.startswith(("postgres://", "postgresql://")):
        postgres(place, count)
    else:
        sqlite(place, count)


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    seed(sys.argv[1], int(sys.argv[2]))
