"""Sign-in, sessions and password storage of the admin site."""

import base64
import dataclasses
import hashlib
import hmac
import json
import re
import secrets
import time
from typing import Any, Iterable

SCRYPT_N = 2**15
SCRYPT_R = 8
SCRYPT_P = 1
SALT_BYTES = 16
SESSION_SECONDS = 12 * 3600
IDLE_SECONDS = 30 * 60
LOCK_AFTER = 8
LOCK_SECONDS = 15 * 60

USERNAME = re.compile(r"^[a-z][a-z0-9._-]{2,31}$")
COMMON = frozenset("password 12345678 qwertyui iloveyou letmein1 welcome1 admin123".split())


class SignInError(Exception):
    """Carries a reason for the log; the visitor always reads the same sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__("wrong user name or password")
        self.reason = reason


@dataclasses.dataclass
class User:
    name: str
    password: str
    roles: tuple[str, ...]
    failed: int = 0
    locked_until: float = 0.0
    must_change: bool = False


@dataclasses.dataclass(frozen=True)
class Session:
    id: str
    user: str
    roles: tuple[str, ...]
    started: float
    seen: float
    csrf: str


class Users:
    """Keeps users by name; a real store has the same four methods."""

    def __init__(self, users: Iterable[User] = ()) -> None:
        self._users = {user.name: user for user in users}

    def get(self, name: str) -> User | None:
        return self._users.get(name)

    def save(self, user: User) -> None:
        self._users[user.name] = user

    def names(self) -> list[str]:
        return sorted(self._users)


def hash_password(password: str) -> str:
    salt = secrets.token_bytes(SALT_BYTES)
    digest = _scrypt(password, salt, SCRYPT_N, SCRYPT_R, SCRYPT_P)
    return "$".join(("scrypt", str(SCRYPT_N), str(SCRYPT_R), str(SCRYPT_P), _b64(salt), _b64(digest)))


def verify_password(stored: str, password: str) -> bool:
    scheme, *rest = stored.split("$")
    if scheme == "sha1":
        # Accounts imported from the old site; replaced at their next sign-in.
        salt, digest = rest
        return hmac.compare_digest(hashlib.sha1((salt + password).encode()).hexdigest(), digest)
    if scheme != "scrypt":
        return False
    n, r, p, salt, digest = rest
    actual = _scrypt(password, _unb64(salt), int(n), int(r), int(p))
    return hmac.compare_digest(actual, _unb64(digest))


def needs_rehash(stored: str) -> bool:
    return not stored.startswith(f"scrypt${SCRYPT_N}${SCRYPT_R}${SCRYPT_P}$")


def check_new_password(user: User, password: str) -> list[str]:
    problems = []
    if len(password) < 12:
        problems.append("at least 12 characters")
    if password.lower() in COMMON:
        problems.append("not one of the most common passwords")
    if user.name in password.lower():
        problems.append("not the user name")
    if len(set(password)) < 5:
        problems.append("at least five different characters")
    return problems


class Gate:
    def __init__(self, users: Users, key: bytes, clock=time.time) -> None:
        if len(key) < 32:
            raise ValueError("the signing key needs 32 bytes")
        self.users = users
        self.key = key
        self.clock = clock
        self._decoy = hash_password(secrets.token_hex(8))

    def sign_in(self, name: str, password: str) -> Session:
        now = self.clock()
        user = self.users.get(name) if USERNAME.match(name) else None
        if user is None:
            # The same work as for a real account, so that the time taken tells nothing.
            verify_password(self._decoy, password)
            raise SignInError("unknown user")
        if user.locked_until > now:
            raise SignInError("locked")
        if not verify_password(user.password, password):
            user.failed += 1
            if user.failed >= LOCK_AFTER:
                user.locked_until = now + LOCK_SECONDS
                user.failed = 0
            self.users.save(user)
            raise SignInError("wrong password")
        user.failed = 0
        if needs_rehash(user.password):
            user.password = hash_password(password)
        self.users.save(user)
        return Session(secrets.token_urlsafe(24), user.name, user.roles, now, now, secrets.token_urlsafe(16))

    def to_cookie(self, session: Session) -> str:
        payload = _b64(json.dumps(dataclasses.asdict(session), separators=(",", ":")).encode())
        return f"{payload}.{self._sign(payload)}"

    def from_cookie(self, cookie: str) -> Session | None:
        payload, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(self._sign(payload), signature):
            return None
        raw: dict[str, Any] = json.loads(_unb64(payload))
        session = Session(**{**raw, "roles": tuple(raw["roles"])})
        now = self.clock()
        if now - session.started > SESSION_SECONDS or now - session.seen > IDLE_SECONDS:
            return None
        return dataclasses.replace(session, seen=now)

    def check_csrf(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(session.csrf, token)

    def allowed(self, session: Session, needed: str) -> bool:
        return needed in session.roles or "owner" in session.roles

    def _sign(self, payload: str) -> str:
        return _b64(hmac.new(self.key, payload.encode(), hashlib.sha256).digest())


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=128 * n * r * 2, dklen=32)


def _b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
