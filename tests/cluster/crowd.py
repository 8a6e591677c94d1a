#!/usr/bin/env python3
"""Somebody who wants all the places of an address: crowd.py PORT COUNT. Opens so many connections, says nothing, and opens another one at once for each that is closed."""
import resource, select, socket, sys

port, count = map(int, sys.argv[1:])
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * count, most), most))
clients, poll = {}, select.epoll()
while True:
    while len(clients) < count:
        try:
            client = socket.create_connection(("127.0.0.1", port))
        except OSError:
            continue
        clients[client.fileno()] = client
        poll.register(client, select.EPOLLIN)
    for number, _ in poll.poll():
        clients.pop(number).close()
