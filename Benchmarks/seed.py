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
from typing import Iterator

PORTION = 100_000

FIRST = """anna ben clara david eva felix greta hans ida jonas klara lena maria nils olga paul quirin rosa tim ute
viktor wanda xaver yara zoe linh minh duc lan hoa jan ewa piotr zofia tomasz emma noah mia leon sofia""".split()
LAST = """schmidt mueller schneider fischer weber meyer wagner becker schulz hoffmann koch bauer richter klein wolf
neumann schwarz braun zimmermann krueger hartmann lange werner lehmann nguyen tran pham hoang vu dang bui do kowalski
wisniewski wojcik kaminski lewandowski zielinski szymanski dabrowski smith jones taylor brown wilson evans thomas
roberts walker wright hughes edwards green hall wood harris martin jackson clarke lewis""".split()
DOMAINS = ["gmail.com"] * 11 + ["privaterelay.appleid.com"] * 2 + [
    "gmx.de", "web.de", "outlook.com", "wp.pl", "yahoo.co.uk", "example.com", "example.org"]
# Of one account in 100,000.
RARE = "zwetschgenbaum"

ACCOUNTS = """key project uid email phone_number is_email_verified has_email_link display_name assigned_fields
custom_claims is_disabled is_custom created_at last_login_at last_refresh_at passkey_count unconfirmed_passkeys
valid_since_seconds deletion_scheduled_for""".split()
IDENTITIES = "project provider subject account position email display_name linked_at".split()
TERMS = "project account term".split()


def rows(number: int, key: int, project: int) -> tuple[tuple, tuple, list[tuple]]:
    """An account, its identity, and the terms by which a search finds it (SearchedFields.swift)."""
    # The server's ids are random. A multiplication scatters them, so that within a portion the pages of an index are
    # visited as with random ids.
    scattered = number * 2654435761 % 4294967296
    first = FIRST[scattered % 1009 % len(FIRST)]
    last = RARE if number % 100_000 == 7 else LAST[scattered % 1013 % len(LAST)]
    domain = DOMAINS[scattered % 1019 % len(DOMAINS)]
    uid = f"seed{scattered:08x}{number:08}"
    email = f"{first}.{last}{number}@{domain}"
    name = f"{first.capitalize()} {last.capitalize()}"
    phone = f"+49{1_500_000_000 + scattered % 10_000 * 10_000 + number // 5:010}" if number % 5 == 0 else None
    claims = '{"role":"admin"}' if number % 10_000 == 0 else '{"role":"editor"}' if number % 100 == 0 else None
    account = (
        key, project, uid, email, phone, int(number % 20 != 0), 0, name, 0, claims, int(number % 1000 == 0), 0,
        1_600_000_000_000 + number * 10_000, 1_700_000_000_000 + scattered % 365 * 86_400_000, 1_700_000_000_000,
        int(number % 500 == 0), 0, 1_700_000_000, 1_900_000_000_000 if number % 10_000 == 1 else None)
    identity = (project, "google.com", f"9{scattered:010}{number:08}", key, 0, email, name, 1_700_000_000_000)
    labels = domain.split(".")
    words = ["@" + ".".join(labels[start:]) for start in range(len(labels) - 1)] + [last, f"{last}{number}"]
    # The first name begins the address. Of the longer names, a search finds the beginning.
    terms = [(project, key, word) for word in words + (["#" + phone[:0:-1]] if phone else [])]
    return account, identity, terms


def portions(done: int, count: int) -> Iterator[tuple[int, int]]:
    for first in range(done + 1, count + 1, PORTION):
        yield first, min(first + PORTION - 1, count)


def filled(first: int, last: int, key: int, project: int) -> tuple[list[tuple], list[tuple], list[tuple]]:
    """The rows of the three tables."""
    made = [rows(number, key + number - first + 1, project) for number in range(first, last + 1)]
    return [one[0] for one in made], [one[1] for one in made], [term for one in made for term in one[2]]


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
        database.execute("BEGIN IMMEDIATE")
        for table, columns, values in zip(
                ("accounts", "identities", "account_terms"), (ACCOUNTS, IDENTITIES, TERMS),
                filled(first, last, key, project)):
            marks = ", ".join("?" * len(columns))
            database.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", values)
        database.execute("COMMIT")
        show(last, count, started)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("ANALYZE")


def postgres(url: str, count: int) -> None:
    def psql(sql: str) -> str:
        return subprocess.run(
            ["psql", url, "-qtA", "-v", "ON_ERROR_STOP=1"], input=sql, capture_output=True, text=True,
            check=True).stdout.strip()

    def copied(table: str, columns: list[str], values: list[tuple]) -> str:
        lines = ("\t".join("\\N" if value is None else str(value) for value in row) for row in values)
        return f"COPY {table} ({', '.join(columns)}) FROM stdin;\n" + "\n".join(lines) + "\n\\.\n"

    project = int(psql("SELECT min(key) FROM projects"))
    done = int(psql("SELECT count(*) FROM accounts WHERE uid LIKE 'seed%'"))
    started = time.monotonic()
    for first, last in portions(done, count):
        key = int(psql("SELECT coalesce(max(key), 0) FROM accounts"))
        accounts, identities, terms = filled(first, last, key, project)
        # The trigger that counts accounts would update one row 100,000 times in a transaction, which keeps all its
        # versions. So triggers are off, also those that check foreign keys.
        psql(
            "SET synchronous_commit = off; SET session_replication_role = replica; BEGIN;"
            f"UPDATE account_counts SET accounts = accounts + {last - first + 1} WHERE project = {project} AND slot = 0;\n"
            + copied("accounts", ACCOUNTS, accounts) + copied("identities", IDENTITIES, identities)
            + copied("account_terms", TERMS, terms)
            + "SELECT setval(pg_get_serial_sequence('accounts', 'key'), max(key)) FROM accounts; COMMIT")
        show(last, count, started)
    for table in ("accounts", "identities", "account_terms"):
        psql(f"VACUUM ANALYZE {table}")


def seed(place: str, count: int) -> None:
    if place.startswith(("postgres://", "postgresql://")):
        postgres(place, count)
    else:
        sqlite(place, count)


if __name__ == "__main__":
    if len(sys.argv) != 3 or not sys.argv[2].isdigit():
        sys.exit(__doc__)
    seed(sys.argv[1], int(sys.argv[2]))
