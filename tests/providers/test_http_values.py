"""What an answer costs is bounded by its values, too: each costs far more than its bytes."""

import gzip
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from knowledge_contract.errors import (
    ProviderProtocolError,
)
from knowledge_contract.providers._http import (
    VALUE_COUNT_MAX,
)
from providers.asking import GOOD, fetch
from providers.faults import CAP_BYTES, FAULTS, GZIP, MANY, Fault, packed
from providers.raw_server import Play, reply, serving

MEASURE = (
    "import asyncio, sys\n"
    "from knowledge_contract.errors import ProviderError\n"
    "from knowledge_contract.providers._http import Retrying, open_session\n"
    "from providers.asking import READ, endpoint\n"
    "from providers.faults import CAP_BYTES\n"
    "def peak_kib():\n"
    "    lines = open('/proc/self/status', encoding='utf-8').read().splitlines()\n"
    "    return next(int(line.split()[1]) for line in lines if line.startswith('VmHWM'))\n"
    # Returns nothing: a loop's end writes out what its first task returned.
    "async def ask(timeout_s):\n"
    "    asked = endpoint(sys.argv[1], timeout_s=timeout_s, limit_bytes=CAP_BYTES)\n"
    "    async with open_session(asked, retrying=Retrying(count=0)) as session:\n"
    "        await session.fetch(READ)\n"
    "failed = 0\n"
    "asyncio.run(ask(30))\n"
    "before = peak_kib()\n"
    "for timeout_s in map(float, sys.argv[2:]):\n"
    "    try: asyncio.run(ask(timeout_s))\n"
    "    except ProviderError: failed += 1\n"
    "print(failed, peak_kib() - before)"
)


def measured(*plays: Play, timeouts_s: list[float]) -> tuple[int, int]:
    """Return how many fetches fail, and by how many KiB they let a process grow."""
    with serving(GOOD, *plays) as server:
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, server.base_url, *map(str, timeouts_s)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
    failed, growth_kib = map(int, done.stdout.split())
    return failed, growth_kib


MEASURED = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="no /proc to read memory from"
)


@MEASURED
def test_faults_cost_little_memory() -> None:
    near_cap = [
        Fault(reply(packed(piece, CAP_BYTES), **GZIP), ProviderProtocolError, "values")
        for piece in MANY.values()
    ]
    faults = [*FAULTS.values(), *near_cap]

    failed, growth_kib = measured(
        *(fault.play for fault in faults), timeouts_s=[fault.timeout_s for fault in faults]
    )

    assert failed == len(faults)
    assert growth_kib < 32 * 1024


MOST = VALUE_COUNT_MAX - 1
FULL = {
    "lists": b"[" + b",".join([b"[]"] * (MOST // 2)) + b"]",
    "fractions": b"[" + b",".join([b"1.5"] * MOST) + b"]",
    "nested": b"[" + b",".join([b"[" * 99 + b"]" * 99] * (MOST // 100)) + b"]",
    "small objects": b"[" + b",".join(b'{"%x":0}' % n for n in range(MOST // 2)) + b"]",
    "one object": b"{" + b",".join(b'"%x":0' % n for n in range(MOST)) + b"}",
}


@MEASURED
@pytest.mark.parametrize("body", FULL.values(), ids=FULL)
def test_answer_of_the_most_values_costs_little_memory(body: bytes) -> None:
    failed, growth_kib = measured(reply(gzip.compress(body, 1), **GZIP), timeouts_s=[30.0])

    assert failed == 0
    assert growth_kib < 32 * 1024


@MEASURED
def test_long_text_is_held_no_more_than_twice() -> None:
    packing = zlib.compressobj(wbits=31)
    texts = (b'"', *(b"x" * 2**16 for _ in range(CAP_BYTES // 2**16 - 1)), b'"')
    body = b"".join([*map(packing.compress, texts), packing.flush()])

    failed, growth_kib = measured(reply(body, **GZIP), timeouts_s=[30.0])

    assert failed == 0
    assert growth_kib < 36 * 1024


def test_bound_counts_values_exactly() -> None:
    full = b"[" + b",".join([b"0"] * VALUE_COUNT_MAX) + b"]"

    with serving(reply(full), reply(full[:-1] + b",0]")) as server:
        (fits,) = fetch(server.base_url)
        with pytest.raises(ProviderProtocolError, match="values"):
            fetch(server.base_url)

    assert len(fits.document) == VALUE_COUNT_MAX
