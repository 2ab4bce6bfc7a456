#!/usr/bin/env python3
"""Holds the daemon against the limit of its socket and against Redis, in one run, side by side.

usage: bench/bench.py [--rounds N] [--quick] [--only WORD] [--measure NAME] [--json FILE] [--markdown]     (make bench)

Three contestants get the same events from the same sender (bench/LoadTool): `limit`, a reader that counts line ends and
does nothing else; `daemon`, quickactionsd with everything on; and `redis`, redis-server at a Unix socket, pipelined
ZINCRBY of one sorted set, every reply read and checked, with its persistence OFF (no RDB, no AOF); in the durable case
also `redis-aof`, with appendonly and appendfsync everysec. Each run has a fresh
process and folder; the contestants take turns, round by round, and what is said is the median. In every run the counts
are checked, each id's in the daemon's database and in the sorted set; one that is off ends this with status 1. Times
decide nothing. After the contest the daemon alone is measured once: memory, starts, hostile, connections, load; and
ten-million (starts) if asked. --only runs just the cases whose names have that word in them, --measure just that measure
(both repeatable). $QUICKACTIONSD names another daemon than .build/release/quickactionsd, $LOADTOOL
another load tool.
"""
import argparse, json, sys
from cases import CASES, Runner
from measures import MEASURES, MORE_MEASURES
from programs import Failure, quit_on_signals
import report

CONTESTANTS = ["limit", "daemon", "redis", "redis-aof"]


def say(text):
    print(text, file=sys.stderr, flush=True)


def contest(cases, rounds, runner, who):
    """The figures of all rounds: by case, then contestant."""
    runs = {case.name: {contestant: [] for contestant in case.contestants if contestant in who} for case in cases}
    for number in range(1, rounds + 1):
        for case in cases:
            for contestant in runs[case.name]:
                run = runner.run(case, contestant)
                runs[case.name][contestant].append(run)
                say(f"round {number}: {case.name}: {contestant}: {run['rate'] / 1e6:.2f} million events/s, "
                    f"{run['cpu'] * 1e9:.0f} ns of CPU time each")
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--quick", action="store_true", help="one round with a tenth of the events: under a minute")
    parser.add_argument("--scale", type=float, help="this part of the events")
    parser.add_argument("--only", action="append", default=[], metavar="WORD")
    parser.add_argument("--who", action="append", choices=CONTESTANTS, help="this contestant only")
    parser.add_argument("--measure", action="append", default=[], choices=[*MEASURES, *MORE_MEASURES])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", default="bench.json", metavar="FILE")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--folder", help="where the temporary folders are made")
    parser.add_argument("--leave-out", type=int, default=0, metavar="N",
                        help="send N events less than is said, to see that this is noticed")
    options = parser.parse_args()
    quit_on_signals()

    scale = options.scale or (0.1 if options.quick else 1)
    rounds = options.rounds or (1 if options.quick else 5)
    cases = [case.scaled(scale) if scale != 1 else case for case in CASES
             if not options.only or any(word.lower() in case.name.lower() for word in options.only)]
    if not cases:
        parser.error("no case has such a name")
    asked = options.measure or ([] if options.only else list(MEASURES))
    measures = {name: work for name, work in (MEASURES | MORE_MEASURES).items() if name in asked}
    if options.measure and not options.only:
        cases = []
    runner = Runner(options.seed, options.leave_out, options.folder)
    measured = {}
    try:
        runs = contest(cases, rounds, runner, options.who or CONTESTANTS)
        for name, work in measures.items():
            measured[name] = work(runner, scale)
            say(f"{name}: {report.sentence(measured[name])}")
    except Failure as failure:
        sys.exit(f"bench: {failure}")
    result = report.summary(cases, runs, rounds, scale) | {"measures": measured}
    with open(options.json, "w") as file:
        json.dump(result, file, indent=1)
    print(report.table(result, options.markdown))


if __name__ == "__main__":
    main()
