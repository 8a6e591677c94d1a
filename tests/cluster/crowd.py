#!/usr/bin/env python3
"""Somebody who wants all the places of an address: crowd.py PORT COUNT [PROTOCOL]. Opens so many connections, and another one at once for each that is closed.
Says nothing; with a protocol (of ALPN), each begins TLS, sends a request of nobody, and stays."""
import resource, select, socket, ssl, sys

port, count = map(int, sys.argv[1:3])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
context.set_alpn_protocols(sys.argv[3:])
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * count, most), most))
clients, poll = {}, select.epoll()


def comes():
    client = socket.create_connection(("127.0.0.1", port))
    if sys.argv[3:]:
        client = context.wrap_socket(client)
        client.sendall(b"\x00\x00\x00\x08no frame")
    clients[client.fileno()] = client
    poll.register(client, select.EPOLLIN | select.EPOLLRDHUP)


def is_closed(number):
    clients[number].setblocking(False)
    try:
        return not clients[number].recv(4096)
    except BlockingIOError:
        return False
    except OSError as error:
        return error.errno != ssl.SSL_ERROR_WANT_READ


while True:
    while len(clients) < count:
        try:
            comes()
        except OSError:
            continue
        if sys.argv[3:]:
            break
    for number, _ in poll.poll(0 if len(clients) < count else None):
        if is_closed(number):
            clients.pop(number).close()
