"""Ingests electricity meter readings from supplier files into the readings table.

Suppliers drop CSV files into an inbox; every file has its own delimiter, encoding and idea of time.
Usage: python -m meters.meter_ingest --inbox DIR --database URL [--dry-run]
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import datetime as dt
import hashlib
import logging
import pathlib
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo

import sqlalchemy as sa

log = logging.getLogger("meters.ingest")

UTC = dt.timezone.utc
MAX_STEP_KWH = Decimal("250")
BATCH = 2_000
ENCODINGS = ("utf-8-sig", "cp1252")


@dataclasses.dataclass(frozen=True)
class Supplier:
    """What one supplier's files look like."""

    name: str
    prefix: str
    delimiter: str
    meter_column: str
    time_column: str
    value_column: str
    time_format: str
    zone: str
    decimal_comma: bool = False
    cumulative: bool = True


SUPPLIERS = (
    Supplier("nordkraft", "NK_", ";", "Zaehler", "Zeitpunkt", "Stand", "%d.%m.%Y %H:%M", "Europe/Berlin", True),
    Supplier("voltis", "vol-", ",", "meter_id", "timestamp", "kwh", "%Y-%m-%dT%H:%M:%SZ", "UTC", cumulative=False),
    Supplier("elan", "ELAN", "\t", "PRM", "Horodate", "Index", "%Y-%m-%d %H:%M:%S", "Europe/Paris"),
)


@dataclasses.dataclass(frozen=True)
class Reading:
    meter: str
    at: dt.datetime
    kwh: Decimal
    source: str
    line: int

    @property
    def key(self) -> tuple[str, dt.datetime]:
        return (self.meter, self.at)


class RowError(ValueError):
    """A row that cannot be used; the file goes on without it."""


def main(argv: list[str] | None = None) -> int:
    options = parse_arguments(argv)
    logging.basicConfig(level=logging.DEBUG if options.verbose else logging.INFO, format="%(levelname)s %(message)s")
    engine = sa.create_engine(options.database)
    inbox = pathlib.Path(options.inbox)
    failures = 0
    for path in sorted(inbox.glob("*.csv")):
        try:
            report = ingest_file(engine, path, dry_run=options.dry_run)
        except Exception:
            log.exception("%s: not ingested", path.name)
            move(path, inbox / "failed")
            failures += 1
            continue
        log.info("%s: %s", path.name, ", ".join(f"{name}={count}" for name, count in sorted(report.items())))
        if not options.dry_run:
            move(path, inbox / "done")
    return 1 if failures else 0


def ingest_file(engine: sa.Engine, path: pathlib.Path, *, dry_run: bool) -> Counter[str]:
    supplier = supplier_of(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    report: Counter[str] = Counter()
    with engine.begin() as connection:
        if already_seen(connection, digest):
            report["duplicate_file"] += 1
            return report
        for batch in batches(readings_of(supplier, path, report)):
            stored = store(connection, batch, dry_run=dry_run)
            report["stored"] += stored
            report["known"] += len(batch) - stored
        if not dry_run:
            connection.execute(
                sa.text("insert into ingested_files (name, sha256, ingested_at) values (:name, :sha, :at)"),
                {"name": path.name, "sha": digest, "at": dt.datetime.now(UTC)},
            )
    return report


def supplier_of(path: pathlib.Path) -> Supplier:
    for supplier in SUPPLIERS:
        if path.name.startswith(supplier.prefix):
            return supplier
    raise LookupError(f"no supplier for a file named {path.name}")


def already_seen(connection: sa.Connection, digest: str) -> bool:
    row = connection.execute(sa.text("select 1 from ingested_files where sha256 = :sha"), {"sha": digest}).first()
    return row is not None


def readings_of(supplier: Supplier, path: pathlib.Path, report: Counter[str]) -> Iterator[Reading]:
    last: dict[str, Decimal] = {}
    for number, row in rows_of(supplier, path):
        try:
            reading = parse_row(supplier, row, path.name, number)
        except RowError as error:
            report["bad_rows"] += 1
            log.warning("%s:%d: %s", path.name, number, error)
            continue
        if supplier.cumulative:
            previous = last.get(reading.meter)
            last[reading.meter] = reading.kwh
            if previous is None:
                # The first index of a file has nothing to be compared with.
                report["first_index"] += 1
                continue
            step = reading.kwh - previous
            if step < 0:
                report["meter_swapped"] += 1
                continue
            if step > MAX_STEP_KWH:
                report["implausible"] += 1
                log.warning("%s:%d: %s kWh in one step for %s", path.name, number, step, reading.meter)
                continue
            reading = dataclasses.replace(reading, kwh=step)
        yield reading


def rows_of(supplier: Supplier, path: pathlib.Path) -> Iterator[tuple[int, dict[str, str]]]:
    text = decode(path.read_bytes())
    reader = csv.DictReader(text.splitlines(), delimiter=supplier.delimiter)
    missing = {supplier.meter_column, supplier.time_column, supplier.value_column} - set(reader.fieldnames or ())
    if missing:
        raise ValueError(f"columns missing: {', '.join(sorted(missing))}")
    for row in reader:
        yield reader.line_num, row


def decode(raw: bytes) -> str:
    for encoding in ENCODINGS:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ValueError("neither UTF-8 nor Windows-1252")


def parse_row(supplier: Supplier, row: dict[str, str], source: str, line: int) -> Reading:
    meter = (row[supplier.meter_column] or "").strip()
    if not meter:
        raise RowError("no meter number")
    return Reading(
        meter=meter,
        at=parse_time(supplier, row[supplier.time_column]),
        kwh=parse_value(supplier, row[supplier.value_column]),
        source=source,
        line=line,
    )


def parse_time(supplier: Supplier, text: str) -> dt.datetime:
    try:
        naive = dt.datetime.strptime(text.strip(), supplier.time_format)
    except ValueError:
        raise RowError(f"time {text!r} is not {supplier.time_format}") from None
    # fold stays 0, so the second 02:30 of the autumn night lands on the first one.
    return naive.replace(tzinfo=ZoneInfo(supplier.zone)).astimezone(UTC)


def parse_value(supplier: Supplier, text: str) -> Decimal:
    cleaned = text.strip().replace(" ", "").replace("\u00a0", "")
    if supplier.decimal_comma:
        cleaned = cleaned.replace(".", "").replace(",", ".")
    try:
        value = Decimal(cleaned)
    except InvalidOperation:
        raise RowError(f"value {text!r} is not a number") from None
    if value < 0:
        raise RowError(f"value {text!r} is negative")
    return value


def batches(readings: Iterable[Reading]) -> Iterator[list[Reading]]:
    batch: list[Reading] = []
    for reading in readings:
        batch.append(reading)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def store(connection: sa.Connection, batch: list[Reading], *, dry_run: bool) -> int:
    unique = {reading.key: reading for reading in batch}
    if dry_run:
        return len(unique)
    result = connection.execute(
        sa.text(
            """
            insert into readings (meter, at, kwh, source, source_line)
            values (:meter, :at, :kwh, :source, :line)
            on conflict (meter, at) do nothing
            """
        ),
        [dataclasses.asdict(reading) for reading in unique.values()],
    )
    return max(result.rowcount, 0)


def move(path: pathlib.Path, folder: pathlib.Path) -> None:
    folder.mkdir(exist_ok=True)
    target = folder / path.name
    if target.exists():
        target = folder / f"{path.stem}.{dt.datetime.now():%Y%m%d%H%M%S}{path.suffix}"
    shutil.move(path, target)


def parse_arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inbox", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--dry-run", action="store_true", help="parse and count, write nothing")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
