"""Run every check that this machine can, then say what was left out and why.

All steps run even when one fails. With `CI=true` an omission is a failure.
Arguments go to pytest.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from web_build import ROOT, WEB, why_no_web

FUZZ_DOCUMENTS = 20_000


class Step(NamedTuple):
    """One check: a name for people, a command, and the folder that it runs in."""

    name: str
    command: list[str]
    folder: Path = ROOT


class Outcome(NamedTuple):
    """How a step ended: its return code and how long it took."""

    name: str
    return_code: int
    seconds: float

    def __str__(self) -> str:
        verdict = "ok" if self.return_code == 0 else f"FAILED (exit {self.return_code})"
        return f"{self.name:<10} {self.seconds:6.1f} s  {verdict}"


def in_ci() -> bool:
    """Say whether each omission is a failure."""
    return os.environ.get("CI", "").lower() in {"1", "true"}


def steps(pytest_arguments: list[str], report: Path, *, web: bool) -> list[Step]:
    """Return the steps in the order in which a developer wants to hear of failures."""
    python = sys.executable
    workers = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    options = [f"--numprocesses={workers}", "--dist=loadgroup", f"--junitxml={report}"]
    found = [
        Step("setup", [python, "scripts/web_build.py"]),
        Step("lint", ["ruff", "check"]),
        Step("format", ["ruff", "format", "--check"]),
        Step("types", ["mypy"]),
        Step("floors", ["lint-imports"]),
        Step("drift", ["knowledge-contract", "check"]),
        Step("vectors", [python, "-m", "contract_vectors", "--check"]),
    ]
    if web:
        found.append(Step("web", ["npm", "run", "check"], WEB))
    found.append(Step("tests", ["pytest", *options, *pytest_arguments]))
    if web and in_ci():
        found.append(Step("fuzz", [python, "tests/conformance/fuzz.py", str(FUZZ_DOCUMENTS)]))
    return found


def run(step: Step) -> Outcome:
    """Run one step with its output shown."""
    print(f"\n== {step.name}: {' '.join(step.command)}", flush=True)
    start = time.perf_counter()
    try:
        done = subprocess.run(step.command, cwd=step.folder, check=False, stdin=subprocess.DEVNULL)
    except OSError as error:
        print(f"{step.command[0]}: {error.strerror}", flush=True)
        return Outcome(step.name, 127, time.perf_counter() - start)
    outcome = Outcome(step.name, done.returncode, time.perf_counter() - start)
    print(f"-- {outcome}", flush=True)
    return outcome


def skipped_tests(report: Path) -> list[str]:
    """Return one line for each reason that pytest gave for leaving tests out."""
    if not report.is_file():
        return []
    reasons = Counter(
        skipped.get("message", "no reason given")
        for skipped in ET.parse(report).iter("skipped")  # noqa: S314  # pytest's own report
        if skipped.get("type") != "pytest.xfail"
    )
    return [f"{count} tests: {reason}" for reason, count in sorted(reasons.items())]


def main() -> int:
    """Run the steps; return 1 when one failed, or in CI when something was left out."""
    no_web = why_no_web()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "pytest.xml"
        outcomes = [run(step) for step in steps(sys.argv[1:], report, web=no_web is None)]
        omissions = skipped_tests(report)
    if no_web:
        omissions.insert(0, f"everything in TypeScript: {no_web}")
    elif not in_ci():
        omissions.append(f"`just fuzz {FUZZ_DOCUMENTS}`: it runs in CI")

    print("\n== summary", *outcomes, sep="\n")
    print("Left out:", *omissions, sep="\n  - ") if omissions else print("Left out: nothing")
    failed = any(outcome.return_code for outcome in outcomes)
    return int(failed or (bool(omissions) and in_ci()))


if __name__ == "__main__":
    sys.exit(main())
