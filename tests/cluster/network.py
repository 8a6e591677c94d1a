"""Hosts as network namespaces of this machine, each on a link of its own that can be cut, and slowed down where the kernel can."""
import os, subprocess


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True)


class Network:
    master = "10.213.0.1"  # reached from each namespace by its default route

    def __init__(self, hosts):
        self.spaces = {host: f"almanac-{os.getpid()}-{host}" for host in hosts}
        self.links = {host: f"a{os.getpid() % 1_000_000}{host}" for host in hosts}

    def make(self):
        """False where that is not allowed or not possible; then nothing is left of it."""
        for number, host in enumerate(self.spaces):
            space, link = self.spaces[host], self.links[host]
            steps = [["netns", "add", space], ["link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space],
                     ["address", "add", f"10.213.{number}.1/24", "dev", link], ["link", "set", link, "up"],
                     ["-n", space, "address", "add", f"10.213.{number}.2/24", "dev", "eth0"], ["-n", space, "link", "set", "lo", "up"],
                     ["-n", space, "link", "set", "eth0", "up"], ["-n", space, "route", "add", "default", "via", f"10.213.{number}.1"]]
            for step in steps:
                done = ip(*step)
                if done.returncode != 0:
                    print(f"no network namespaces here: ip {' '.join(step)}: {done.stderr.strip()}", flush=True)
                    self.remove()
                    return False
        return True

    def remove(self):
        for host, space in self.spaces.items():
            ip("link", "delete", self.links[host])
            ip("netns", "delete", space)

    def inside(self, host):
        """What a command begins with that runs on the host."""
        return ["ip", "netns", "exec", self.spaces[host]]

    def cut(self, host):
        ip("link", "set", self.links[host], "down")

    def mend(self, host):
        ip("link", "set", self.links[host], "up")

    def slow(self, host, *how):
        """Delay and loss as tc's netem has them; False where the kernel does not."""
        return subprocess.run(["tc", "qdisc", "replace", "dev", self.links[host], "root", "netem", *how], capture_output=True).returncode == 0

    def hurry(self, host):
        subprocess.run(["tc", "qdisc", "delete", "dev", self.links[host], "root"], capture_output=True)
