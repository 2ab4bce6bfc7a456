"""What was measured, as one object and as a table."""
import os, platform
from statistics import median


def machine():
    with open("/proc/cpuinfo") as file:
        model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "unknown")
    return {"cores": os.cpu_count(), "cpu": model, "kernel": platform.release(), "load": os.getloadavg()[0]}


def summary(cases, runs, rounds, scale):
    """Medians over the rounds, and ratios of them."""
    medians = {name: {who: {figure: median(run[figure] for run in found) for figure in found[0]}
                      for who, found in by_contestant.items()} for name, by_contestant in runs.items()}
    rows = []
    for case in cases:
        figures = dict(medians[case.name])
        if case.redis_of in medians and "redis" in medians[case.redis_of]:
            figures["redis"] = medians[case.redis_of]["redis"]
        row = {"case": case.name, "ids": case.ids, "apps": case.apps, "events": case.events, "settings": case.settings,
               "figures": figures}
        if "daemon" in figures:
            for other in ("redis", "limit"):
                if other in figures:
                    row[f"rate / {other}"] = figures["daemon"]["rate"] / figures[other]["rate"]
                    row[f"cpu / {other}"] = figures["daemon"]["cpu"] / figures[other]["cpu"]
            if "redis" in figures:
                row["cpu of redis"] = figures["redis"]["cpu"] / figures["daemon"]["cpu"]
        rows.append(row)
    return {"machine": machine(), "rounds": rounds, "scale": scale, "cases": rows, "runs": runs}


def sentence(found):
    return "; ".join(f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}" for name, value in found.items())


def growth(result):
    """How much more an event costs the daemon with a million ids than with ten; nothing if one was not measured."""
    cpu = {row["ids"]: row["figures"]["daemon"]["cpu"] for row in result["cases"]
           if row["case"] in ("plain, 10 ids", "plain, 1,000,000 ids") and "daemon" in row["figures"]}
    return max(cpu.items())[1] / min(cpu.items())[1] if len(cpu) == 2 else None


def table(result, markdown=False):
    heads = ["case", "limit M/s", "daemon M/s", "redis M/s", "daemon/redis", "daemon/limit", "limit ns", "daemon ns",
             "redis ns", "ns redis/daemon", "ns daemon/limit"]
    lines = [heads]
    for row in result["cases"]:
        figures = row["figures"]
        def cell(who, figure, scale, digits):
            return f"{figures[who][figure] * scale:.{digits}f}" if who in figures else "–"
        def ratio(name, digits):
            return f"{row[name]:.{digits}f}" if name in row else "–"
        lines.append([row["case"], *(cell(who, "rate", 1e-6, 2) for who in ("limit", "daemon", "redis")),
                      ratio("rate / redis", 1), ratio("rate / limit", 3),
                      *(cell(who, "cpu", 1e9, 0) for who in ("limit", "daemon", "redis")),
                      ratio("cpu of redis", 2), ratio("cpu / limit", 2)])
    about = result["machine"]
    head = f"{about['cores']} cores, {about['cpu']}, Linux {about['kernel']}; medians of {result['rounds']} rounds; " \
           "redis without persistence; ns are CPU time of the receiving process an event"
    parts = [head]
    if len(lines) > 1:
        parts.append(layout(lines, markdown))
    for row in result["cases"]:
        if "redis-aof" in row["figures"] and "daemon" in row["figures"]:
            ours, theirs = (row["figures"][who]["rate"] for who in ("daemon", "redis-aof"))
            parts.append(f"{row['case']}: Redis with appendonly, everysec: {theirs / 1e6:.2f} M/s; daemon/that {ours / theirs:.1f}")
    if (more := growth(result)) is not None:
        parts.append(f"growth of the daemon's CPU time an event, 10 to 1,000,000 ids: {more:.2f}")
    if result["measures"]:
        parts.append(layout([["measure", "found"], *([name, sentence(found)] for name, found in result["measures"].items())],
                            markdown))
    return "\n\n".join(parts)


def layout(lines, markdown):
    if markdown:
        rows = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([rows[0], "|---" + "|---:" * (len(lines[0]) - 1) + "|", *rows[1:]])
    widths = [max(map(len, column)) for column in zip(*lines)]
    numbers = len(lines[0]) > 2  # figures stand at the right, words do not
    return "\n".join("  ".join([line[0].ljust(widths[0])] + [text.rjust(width) if numbers else text
                                                            for text, width in zip(line[1:], widths[1:])]) for line in lines)
