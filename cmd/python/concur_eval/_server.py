"""Serves an agent to concur over a loopback socket."""

from __future__ import annotations

import hmac
import http.server
import secrets
import socketserver
import sys
import threading
import urllib.parse
from types import TracebackType
from typing import Any

from ._agent import Agent

PORT, KEY = "LOCAL_AGENT_PORT", "LOCAL_AGENT_KEY"
ADDRESS = f"http://127.0.0.1:${{{PORT}}}/?key=${{{KEY}}}"
"""agent.http of the configuration. Port and key differ in each run, and are not part of the agent hash."""

MAX_REQUEST = 64 << 20  # bytes


class Server:
    """An agent on a port of this machine, as long as the with statement lasts. Requests need its key."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.key = secrets.token_hex(24)

    def __enter__(self) -> Server:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.agent, self._http.key = self.agent, self.key
        self._thread = threading.Thread(target=self._http.serve_forever, name="concur agent server", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def environment(self) -> dict[str, str]:
        """Returns the variables that the address of the configuration names."""
        return {PORT: str(self.port), KEY: self.key}


class _Http(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    block_on_close = False  # a function that hangs does not keep the process alive
    request_queue_size = 128
    agent: Agent
    key: str

    def server_bind(self) -> None:
        # HTTPServer asks for the name of the host, which may take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):  # concur disconnects when a trace takes too long
            super().handle_error(request, client_address)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        key = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query).get("key", [""])[0]
        if not hmac.compare_digest(key.encode(), self.server.key.encode()):
            self.close_connection = True
            self.send_error(403, "the key is wrong")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_REQUEST:
            self.close_connection = True
            self.send_error(413, "the request has no length, or is too large")
            return
        body = self.server.agent.line(self.rfile.read(int(length)))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass
