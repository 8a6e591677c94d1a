#!/usr/bin/env python3
"""A site that answers the lines of a coordinator (docs/spec/metascheduler.md section 3), with a folder as its memory: it has as many nodes as the file "nodes"
says, and does what the file "mischief" says: silent VERB, refuse VERB CODE, late SECONDS, hold SECONDS, clock SECONDS, nonsense VERB, lapse (a hold is over
before it is committed)."""
import fcntl, json, pathlib, re, sys, time

folder = pathlib.Path(sys.argv[1])


def now():
    return int(time.time()) + (int(mischief()[1]) if mischief()[0] == "clock" else 0)


def mischief():
    try:
        return (folder / "mischief").read_text().split() + ["", "", ""]
    except FileNotFoundError:
        return ["", "", ""]


def is_held(grant):
    return grant["state"] == "committed" or grant["state"] == "held" and now() < min(grant["until"], grant["start"])


def is_free(grants, start, end, nodes):
    taken = [g for g in grants if is_held(g) and g["start"] < end and start < g["end"]]
    return sum(g["nodes"] for g in taken) + nodes <= int((folder / "nodes").read_text())


def number(text):
    return int(re.match(r"R?(\d+)", text)[1])


def answer(verb, token, grants):
    if verb == "HELLO":
        return [f"SC=0;SITE=model;VERSION=1;NOW={now()};VERBS=HELLO"]
    if verb == "RESQUERY":
        length, nodes = number(token["TIMENEEDED"]), int(token["NODES"])
        first = number(token["TIMESPEC"].partition("EARLIEST=")[2])
        # A reservation ends where the next start is.
        starts = sorted({first} | {g["end"] for g in grants if is_held(g) and g["end"] > first})
        free = [s for s in starts if is_free(grants, s, s + length, nodes)]
        return [f"SC=0;COUNT={len(free)}"] + [f"SC=0;STIME={s};ENDSTIME={s + 5}" for s in free]
    if verb == "SETRES":
        for g in grants:
            if g["txid"] == token["TXID"]:
                return [g["answer"]]
        start, length, nodes = number(token["STARTTIME"]), number(token["TIMENEEDED"]), int(token["NODES"])
        if not is_free(grants, start, start + length, nodes):
            return ["SC=-30;SETRES=0;MSG=no capacity at that time"]
        hold = int(mischief()[1]) if mischief()[0] == "hold" else int(token["HOLD"])
        said = f"SC=0;SETRES=1;RESID=R{len(grants) + 1};RESKEY=v1.{folder.name}.{len(grants) + 1};HOLDUNTIL={now() + hold}"
        grants.append({"txid": token["TXID"], "start": start, "end": start + length, "nodes": nodes, "until": now() + hold, "state": "held", "answer": said})
        return [said]
    if "RESID" not in token:
        return ["SC=-12;MSG=missing token RESID"]
    place = number(token["RESID"]) - 1
    if not 0 <= place < len(grants):
        return ["SC=-40;MSG=unknown reservation"]
    g = grants[place]
    if g["state"] == "held" and not is_held(g):
        g["state"] = "lapsed"
    if verb == "STATUS":
        if not is_held(g) or g["end"] <= now():
            return ["SC=-40;MSG=unknown reservation"]
        state = "HELD" if g["state"] == "held" else "WAITING" if now() < g["start"] else "RUNNING"
        return [f"SC=0;STATE={state};STARTTIME={g['start']};ENDTIME={g['end']};NODES={g['nodes']}"]
    if verb == "COMMIT":
        if mischief()[0] == "lapse":
            g["state"] = "lapsed"
        if g["state"] not in ("held", "committed"):
            return ["SC=-42;MSG=hold expired or aborted"]
        g["state"] = "committed"
    elif verb == "ABORT":
        if g["state"] in ("committed", "released"):
            return ["SC=-43;MSG=wrong state"]
        g["state"] = "aborted"
    elif verb == "RELEASE":
        if g["state"] != "committed":
            return ["SC=-40;MSG=unknown reservation"]
        g["state"] = "released"
    return [f"SC=0;STATE={g['state'].upper()}"]


for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    token = dict(one.split("=", 1) for one in rest.split(";") if one)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open(folder / "lines", "a") as log:
            log.write(line)
        what, of, code = mischief()[:3]
        if what == "late":
            time.sleep(float(of))
        if what == "refuse" and of == verb:
            print(f"SC={code};MSG=as was wished", flush=True)
            continue
        if what == "nonsense" and of == verb:
            print("SC=0;;=;" * 9000, flush=True)
            continue
        memory = folder / "grants"
        grants = json.loads(memory.read_text()) if memory.exists() else []
        said = answer(verb, token, grants)
        (folder / "new").write_text(json.dumps(grants))
        (folder / "new").rename(memory)
    if what == "silent" and of == verb:
        continue
    print("\n".join(said), flush=True)
