"""A scheduler for periodic jobs that several hosts may run at once.

Each job has a cron-like expression. Hosts agree through leases in a table: whoever holds the lease
of a job runs it. Nothing here knows what a job does.
"""

import contextlib
import dataclasses
import datetime as dt
import logging
import os
import random
import signal
import socket
import threading
import time
import traceback
import uuid
from typing import Callable, Protocol

log = logging.getLogger(__name__)

LEASE_SECONDS = 90
RENEW_EVERY_SECONDS = 30
POLL_SECONDS = 5
MISFIRE_GRACE = dt.timedelta(minutes=10)


class LeaseStore(Protocol):
    def try_acquire(self, name: str, owner: str, until: dt.datetime, now: dt.datetime) -> bool: ...

    def renew(self, name: str, owner: str, until: dt.datetime) -> bool: ...

    def release(self, name: str, owner: str) -> None: ...

    def last_run(self, name: str) -> dt.datetime | None: ...

    def record_run(self, name: str, scheduled_for: dt.datetime, ok: bool, detail: str) -> None: ...


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    expression: str
    action: Callable[["RunContext"], None]
    timeout_seconds: int = 3600
    catch_up: bool = False


@dataclasses.dataclass
class RunContext:
    job: Job
    scheduled_for: dt.datetime
    cancelled: threading.Event

    def check(self) -> None:
        """Jobs call this between units of work; it raises when they have to stop."""
        if self.cancelled.is_set():
            raise JobCancelled(self.job.name)


class JobCancelled(Exception):
    pass


class ExpressionError(ValueError):
    pass


FIELDS = (
    ("minute", 0, 59),
    ("hour", 0, 23),
    ("day", 1, 31),
    ("month", 1, 12),
    ("weekday", 0, 6),
)
NAMES = {
    "month": {name: i + 1 for i, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split())},
    "weekday": {name: i for i, name in enumerate("sun mon tue wed thu fri sat".split())},
}
SHORTCUTS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
}


class Expression:
    """A parsed five-field expression."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = SHORTCUTS.get(text.strip(), text).split()
        if len(parts) != len(FIELDS):
            raise ExpressionError(f"{text!r} has {len(parts)} fields, not {len(FIELDS)}")
        self.sets = {}
        self.any_day = parts[2] == "*"
        self.any_weekday = parts[4] == "*"
        for part, (name, low, high) in zip(parts, FIELDS):
            self.sets[name] = parse_field(part, name, low, high)

    def matches(self, moment: dt.datetime) -> bool:
        if moment.minute not in self.sets["minute"] or moment.hour not in self.sets["hour"]:
            return False
        if moment.month not in self.sets["month"]:
            return False
        day = moment.day in self.sets["day"]
        weekday = (moment.isoweekday() % 7) in self.sets["weekday"]
        # With both fields restricted either one is enough, as in every cron since the seventies.
        if not self.any_day and not self.any_weekday:
            return day or weekday
        return day and weekday

    def next_after(self, moment: dt.datetime) -> dt.datetime:
        candidate = moment.replace(second=0, microsecond=0) + dt.timedelta(minutes=1)
        limit = candidate + dt.timedelta(days=366 * 4)
        while candidate < limit:
            if candidate.month not in self.sets["month"]:
                candidate = first_of_next_month(candidate)
                continue
            if self.matches(candidate):
                return candidate
            candidate += dt.timedelta(minutes=1)
        raise ExpressionError(f"{self.text!r} never happens")


def parse_field(text: str, name: str, low: int, high: int) -> frozenset[int]:
    values: set[int] = set()
    for part in text.split(","):
        body, _, step_text = part.partition("/")
        step = to_int(step_text, name) if step_text else 1
        if step < 1:
            raise ExpressionError(f"step {step} in {name}")
        if body == "*":
            first, last = low, high
        elif "-" in body:
            left, right = body.split("-", 1)
            first, last = to_int(left, name), to_int(right, name)
        else:
            first = to_int(body, name)
            last = high if step_text else first
        if not (low <= first <= last <= high):
            raise ExpressionError(f"{part!r} is outside {low}-{high} in {name}")
        values.update(range(first, last + 1, step))
    return frozenset(values)


def to_int(text: str, name: str) -> int:
    named = NAMES.get(name, {}).get(text.lower())
    if named is not None:
        return named
    if not text.isdigit():
        raise ExpressionError(f"{text!r} is no {name}")
    return int(text)


def first_of_next_month(moment: dt.datetime) -> dt.datetime:
    year, month = (moment.year + 1, 1) if moment.month == 12 else (moment.year, moment.month + 1)
    return moment.replace(year=year, month=month, day=1, hour=0, minute=0)


class Scheduler:
    def __init__(self, store: LeaseStore, jobs: list[Job], now: Callable[[], dt.datetime] | None = None) -> None:
        names = [job.name for job in jobs]
        if len(set(names)) != len(names):
            raise ValueError("two jobs share a name")
        self.store = store
        self.jobs = jobs
        self.expressions = {job.name: Expression(job.expression) for job in jobs}
        self.now = now or (lambda: dt.datetime.now(dt.timezone.utc))
        self.owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        self.stopping = threading.Event()
        self.running: dict[str, threading.Thread] = {}

    def run_forever(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.stopping.set())
        log.info("scheduler %s starts with %d jobs", self.owner, len(self.jobs))
        while not self.stopping.is_set():
            for job in self.jobs:
                with contextlib.suppress(ConnectionError):
                    self.consider(job)
            # Without a random part all hosts would ask the table in the same millisecond.
            self.stopping.wait(POLL_SECONDS * random.uniform(0.8, 1.2))
        for thread in list(self.running.values()):
            thread.join(timeout=LEASE_SECONDS)

    def consider(self, job: Job) -> None:
        if job.name in self.running:
            return
        now = self.now()
        due = self.due_time(job, now)
        if due is None:
            return
        until = now + dt.timedelta(seconds=LEASE_SECONDS)
        if not self.store.try_acquire(job.name, self.owner, until, now):
            return
        thread = threading.Thread(target=self.run, args=(job, due), name=f"job-{job.name}", daemon=True)
        self.running[job.name] = thread
        thread.start()

    def due_time(self, job: Job, now: dt.datetime) -> dt.datetime | None:
        last = self.store.last_run(job.name)
        if last is None:
            # A job nobody has ever run waits for its next regular time instead of starting at once.
            last = now - dt.timedelta(minutes=1)
        due = self.expressions[job.name].next_after(last)
        if due > now:
            return None
        if now - due > MISFIRE_GRACE and not job.catch_up:
            self.store.record_run(job.name, due, False, "missed")
            log.warning("%s: missed its run of %s", job.name, due.isoformat())
            return None
        return due

    def run(self, job: Job, due: dt.datetime) -> None:
        context = RunContext(job, due, threading.Event())
        keeper = threading.Thread(target=self.keep_lease, args=(job, context), daemon=True)
        keeper.start()
        started = time.monotonic()
        try:
            job.action(context)
            self.store.record_run(job.name, due, True, f"{time.monotonic() - started:.1f}s")
        except JobCancelled:
            self.store.record_run(job.name, due, False, "cancelled")
        except Exception:
            log.exception("%s failed", job.name)
            self.store.record_run(job.name, due, False, traceback.format_exc(limit=5))
        finally:
            context.cancelled.set()
            self.store.release(job.name, self.owner)
            self.running.pop(job.name, None)

    def keep_lease(self, job: Job, context: RunContext) -> None:
        deadline = time.monotonic() + job.timeout_seconds
        while not context.cancelled.wait(RENEW_EVERY_SECONDS):
            if time.monotonic() > deadline:
                log.error("%s: over its %d s, asking it to stop", job.name, job.timeout_seconds)
                context.cancelled.set()
                return
            until = self.now() + dt.timedelta(seconds=LEASE_SECONDS)
            if not self.store.renew(job.name, self.owner, until):
                # Another host believes we are dead and may already have started the same job.
                log.error("%s: lease lost, asking it to stop", job.name)
                context.cancelled.set()
                return
