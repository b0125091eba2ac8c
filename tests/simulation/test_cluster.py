"""A real scheduler of Dask with two workers: a cluster comes to what one machine comes to, whoever is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import hotdice
from hotdice.cli import main
from hotdice.errors import HotdiceError
from hotdice.simulation.clusters import Where
from hotdice.simulation.plan import Plan, prepare_again
from hotdice.simulation.runs import COMPILED_CHUNK, Run, begin, go_on

PIG = hotdice.load_game("pig")
GAMES = 24 * COMPILED_CHUNK


class Cluster:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self._folder, self._file = folder, folder / "scheduler.json"
        self.scheduler = self._start("dask_scheduler", "--port", "0", "--no-dashboard", "--no-show")
        while not self._file.exists() or not self._file.read_text():
            assert self.scheduler.poll() is None, "the scheduler did not start"
            time.sleep(0.05)
        self.address: str = json.loads(self._file.read_text())["address"]
        self.workers = [self.start_worker() for _ in range(workers)]

    def start_worker(self) -> subprocess.Popen[bytes]:
        return self._start("dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")

    def _start(self, program: str, *args: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", "--host", "127.0.0.1", *args]
        with (self._folder / f"{program}.log").open("ab") as log:
            return subprocess.Popen(
                [*command, "--scheduler-file", str(self._file)], cwd=self._folder, stdout=log, stderr=log
            )

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.close()


def simulated(where: Where, keep: Callable[[Run], None] = lambda _: None, seed: int = 3) -> Run:
    plan = Plan.of(PIG, PIG.make_options(None), ["hold:20", "hold:25"], seed)
    run = begin(plan)
    with where.side_by_side(prepare_again(plan), plan) as mapped:
        go_on(run, GAMES, mapped=mapped, keep=lambda: keep(run))
    return run


def test_a_worker_that_is_killed_changes_no_result(cluster: Cluster) -> None:
    killed: list[int] = []

    def kill(run: Run) -> None:
        if not killed and run.tally.games >= 3 * COMPILED_CHUNK:
            cluster.workers[0].send_signal(signal.SIGKILL)
            killed.append(run.tally.games)

    there = simulated(Where(scheduler=cluster.address), kill)
    assert 0 < killed[0] < GAMES
    assert there.tally == simulated(Where(jobs=1)).tally


def test_a_scheduler_that_is_gone_leaves_what_was_done(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.json"
    args = ["simulate", "pig", "-p", "hold:20,hold:25", "-n", str(GAMES), "--results", str(results), "--json"]
    from hotdice.simulation import kept

    write = kept.Kept.write_now_and_then

    def write_and_kill(self: kept.Kept[list[object]], sums: list[object]) -> None:
        write(self, sums)
        if sums[0].games >= 3 * COMPILED_CHUNK:  # type: ignore[attr-defined]
            cluster.scheduler.kill()

    with monkeypatch.context() as patch:
        patch.setattr(kept.Kept, "write_now_and_then", write_and_kill)
        assert main([*args, "--scheduler", cluster.address]) == 2
    out, err = capsys.readouterr()
    assert "is gone" in err
    assert len(err.splitlines()) == 1
    done = json.loads(out)["games"]
    assert 0 < done < GAMES
    assert done % COMPILED_CHUNK == 0
    assert main(args) == 0
    there = json.loads(capsys.readouterr().out)
    assert there["games"] == GAMES
    assert main([*args[:6], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == there


def test_a_scheduler_without_workers_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hotdice.simulation.clusters.ANSWER", 1.0)
    alone = Cluster(tmp_path, workers=0)
    try:
        with pytest.raises(HotdiceError, match="has no workers: start some with “dask worker tcp://"):
            simulated(Where(scheduler=alone.address))
    finally:
        alone.close()


def test_workers_of_ones_own_play_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["tournament", "pig", "-p", "hold:5,hold:12,random", "-n", "5000", "-o", "target=20"]
    assert main([*args, "--workers", "2"]) == 0
    there = capsys.readouterr().out
    assert main([*args, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == there


def test_nobody_there_gets_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hotdice.simulation.clusters.ANSWER", 0.5)
    assert main(["simulate", "pig", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("No scheduler answers at tcp://127.0.0.1:1")
    assert len(err.splitlines()) == 1
