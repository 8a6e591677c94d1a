"""Promises of docs/spec/client-contract.md that can be looked at without a change: C6, C7, C8, C9, C10, C11, C14, C16. Each function is what
the clients that it names do with an answer, with their calls and regular expressions; it says what it has seen."""
import datetime, re, time
import xml.dom.minidom
import xml.etree.ElementTree as ET

from commands import check

nobody = "99999999"  # numbers of jobs have at most seven digits
# What clients map; a state is one of these letters, in Grid Engine's order (docs/spec/cli.md section 5.1).
state = re.compile(r"d?(h?R?q?w|E[hR]?q?w|h?R?[rt]|R?[sSTN]{1,3}|z)|E?h?R?qw|dr|dt|d?R[rt]|d?R?[sST]{1,3}")


def rows_of_nextflow(text):
    """Nextflow, GridEngineExecutor: two lines of heading, then the id and the state."""
    rows = {}
    for index, line in enumerate(text.splitlines()):
        words = line.strip().split()
        if index >= 2 and len(words) > 5:
            rows[words[0]] = words[4]
    return rows


def state_of_luigi(text, job):
    """Luigi, contrib/sge.py, _parse_qstat_state: 'u' where the job is not listed."""
    if not text.strip():
        return "u"
    lines = text.split("\n")
    while not lines.pop(0).startswith("---"):
        pass
    for line in lines:
        if line:
            number, prior, name, user, found = line.strip().split()[0:5]
            if int(number) == int(job):
                return found
    return "u"


def start_of_toil(text, job):
    """Toil, batchSystems/gridengine.py: seconds since the start, by the columns 5 and 6."""
    for line in text.split("\n"):
        items = line.strip().split()
        if items and items[0] == job and items[4] == "r":
            return time.mktime(time.strptime(f"{items[5]} {items[6]}", "%m/%d/%Y %H:%M:%S"))
    return None


def states_of_parsl(text):
    """Parsl, providers/grid_engine: no heading and no dashes."""
    found = {}
    for line in text.split("\n"):
        parts = line.split()
        if parts and parts[0].lower() != "job-id" and not parts[0].startswith("----"):
            found[parts[0]] = parts[4].lower()
    return found


def ids_of_batchtools(text):
    """batchtools: tail -n +3, the first digits of each line."""
    return [re.search(r"\d+", line)[0] for line in text.splitlines()[2:]]


def c6(commands):
    text = commands.works("qstat", "-u", "*")
    if not text:
        return "there is no job: no output at all (K3.9)"
    first, dashes = text.splitlines()[:2]
    check(first.split()[:5] == ["job-ID", "prior", "name", "user", "state"] and not dashes.strip("-"), f"two lines of heading: {text[:300]}")
    rows = rows_of_nextflow(text)
    check(rows and all(number.isdigit() for number in rows), f"an id in column 0: {rows}")
    check(set(states_of_parsl(text)) == set(rows) == set(ids_of_batchtools(text)), "every client finds the same jobs")
    for line in text.splitlines()[2:]:
        words = line.split()
        time.strptime(f"{words[5]} {words[6]}", "%m/%d/%Y %H:%M:%S")
        check(len(words[2]) <= 10, f"a name of at most ten characters: {line}")
        check(float(words[1]) >= 0, f"a priority in column 1: {line}")
        has_queue = "@" in words[7]
        check(has_queue or words[7].isdigit(), f"a queue, or the slots, in column 7: {line}")
    return f"{len(rows)} jobs in columns"


def c7_unknown(commands):
    done = commands.run("qstat", "-j", nobody)
    check(done.code == 1 and "Following jobs do not exist" in done.err and not done.out, f"qstat -j of no job: {done}")
    return "an unknown job is told on standard error, exit 1"


def job_list(element):
    """batchspawner and AiiDA: what they take of each job_list."""
    number = element.getElementsByTagName("JB_job_number")[0].childNodes[0].data
    for name in ("JAT_prio", "JB_name", "JB_owner", "state", "slots"):
        check(len(element.getElementsByTagName(name)) == 1, f"job {number} has no {name}")
    dates = [*element.getElementsByTagName("JAT_start_time"), *element.getElementsByTagName("JB_submission_time")]
    check(len(dates) == 1, f"job {number} has a start or a submission time")
    datetime.datetime.strptime(dates[0].childNodes[0].data, "%Y-%m-%dT%H:%M:%S")
    return number


def c8(commands):
    document = xml.dom.minidom.parseString(commands.works("qstat", "-xml", "-u", "*"))
    root = document.firstChild
    check(root.tagName == "job_info", f"the root is {root.tagName}")
    inside = [node.tagName for node in root.childNodes if node.nodeType == node.ELEMENT_NODE]
    check(inside == ["queue_info", "job_info"], f"both parts are there: {inside}")
    numbers = [job_list(element) for element in root.getElementsByTagName("job_list")]
    # batchspawner finds a job by this path, whatever else is there.
    tree = ET.fromstring(commands.works("qstat", "-xml", "-u", "*"))
    for number in numbers[:20]:
        found = tree.find(f".//*[JB_job_number='{number}']")
        check(found is None or found.find("state") is not None, f"job {number} by its path")
    return f"{len(numbers)} jobs as XML"


def c9(commands):
    seen = 0
    for words in (("qstat", "-f", "-xml", "-u", "*"), ("qstat", "-F", "-xml", "-u", "*")):
        tree = ET.fromstring(commands.works(*words))
        for queue in tree.iter("Queue-List"):
            seen += 1
            for name in ("name", "qtype", "slots_used", "slots_resv", "slots_total"):
                check(queue.find(name) is not None and queue.find(name).text, f"a Queue-List without {name}")
            int(queue.find("slots_used").text), int(queue.find("slots_total").text)
            if queue.find("load_avg") is not None:
                float(queue.find("load_avg").text)
            for resource in queue.iter("resource"):
                check(set(resource.keys()) == {"name", "type"}, f"a resource with {resource.keys()}")
        if words[1] == "-F":
            known = [queue for queue in tree.iter("Queue-List") if queue.find("load_avg") is not None]
            check(all(queue.find("resource") is not None for queue in known), "-F has resources")
    return f"{seen // 2} queue instances as XML"


def c10(commands):
    tree = ET.fromstring(commands.works("qhost", "-q", "-xml"))
    check(tree.tag == "qhost" and tree.find("host").get("name") == "global", "the cell is the host global")
    wanted = {"slots", "slots_used", "slots_resv", "qtype_string", "state_string"}
    for host in tree.iter("host"):
        check({"num_proc", "arch_string", "load_avg"} <= {value.get("name") for value in host.iter("hostvalue")}, f"host {host.get('name')}")
        for queue in host.iter("queue"):
            values = {value.get("name"): value.get("qname") for value in queue.iter("queuevalue")}
            check(wanted <= set(values) and set(values.values()) == {queue.get("name")}, f"queue {queue.get('name')}: {values}")
    return f"{len(list(tree.iter('host')))} hosts as XML"


def c11_unknown(commands):
    done = commands.run("qacct", "-j", nobody)
    check(done.code != 0 and f"error: job id {nobody} not found" in done.err, f"qacct -j of no job: {done}")
    return "a job without a record is told on standard error"


def parsed_by_ipython(text):
    """ipython-cluster-helper, _parseSGEConf."""
    multiline, result, key = False, {}, ""
    for line in text.split("\n"):
        line = line.strip()
        if line:
            if not multiline:
                key, value = line.split(" ", 1)
                result[key] = value.strip().rstrip("\\")
            else:
                result[key] += line
            multiline = line[-1] == "\\"
    return result


def c14(commands):
    done = commands.run("qconf", "-spl")
    names = done.out.split()
    check(done.code == (0 if names else 1), f"qconf -spl: {done}")
    for name in names:
        pe = parsed_by_ipython(commands.works("qconf", "-sp", name))
        check(pe["pe_name"] == name and re.fullmatch(r"\$pe_slots|\$fill_up|\$round_robin|\d+", pe["allocation_rule"]), f"PE {name}: {pe}")
        check(pe["slots"].isdigit(), f"PE {name} has no number of slots: {pe}")
    queues = commands.run("qconf", "-sql").out.split()
    for queue in queues:
        shown = parsed_by_ipython(commands.works("qconf", "-sq", queue))
        check(shown["qname"] == queue and "pe_list" in shown, f"queue {queue}: {shown}")
        check(shown["slots"][0].isdigit(), f"queue {queue} has no number of slots: {shown['slots']}")
    return f"{len(names)} parallel environments and {len(queues)} queues in two columns"


def c16(commands):
    found = set(rows_of_nextflow(commands.works("qstat", "-u", "*")).values())
    strange = sorted(one for one in found if not state.fullmatch(one))
    check(not strange, f"states that no client knows: {strange}")
    return "states " + " ".join(sorted(found)) if found else "no states: there is no job"


promises = {"C6": c6, "C7, unknown": c7_unknown, "C8": c8, "C9": c9, "C10": c10, "C11, unknown": c11_unknown, "C14": c14, "C16": c16}
