# Tries to reach what belongs to the host. Standard input has the places; descriptor 3 gets what was reached.
import ctypes, json, os, socket, sys

places = json.load(sys.stdin)
reached = {}


def attempt(name, what):
    try:
        found = what()
    except Exception:
        found = None
    if found:
        reached.setdefault(name, []).append(str(found)[:80])


def read(path):
    return path if os.path.isdir(path) and os.listdir(path) is not None or open(path, "rb").read(1) is not None else None


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(2)
        s.connect(address)
    return address


def write(path):
    with open(path, "wb") as f:
        f.write(b"1")
    return path


def descriptors():
    # 3 is the result; the engine hands on nothing else. Text that was opened by the host is found by its content.
    out = []
    for fd in range(4, 256):
        try:
            out.append(fd) if places["secret"].encode() in os.pread(fd, 1000, 0) else None
        except OSError:
            pass
    return out


for path in places["files"]:
    attempt("files of the host", lambda: read(path))
attempt("variables of the host", lambda: [k for k, v in os.environ.items() if places["secret"] in v])
attempt("open files of the host", descriptors)
attempt("loopback of the host", lambda: connect(socket.AF_INET, ("127.0.0.1", places["port"])))
attempt("address of cloud metadata", lambda: connect(socket.AF_INET, ("169.254.169.254", 80)))
attempt("abstract socket", lambda: connect(socket.AF_UNIX, "\0" + places["abstract"]))
attempt("socket AF_VSOCK", lambda: socket.socket(40, socket.SOCK_STREAM))
for path in ("/" + places["secret"], "/usr/" + places["secret"], "/dev/" + places["secret"]):
    attempt("write outside of the working folder", lambda: write(path))
attempt("memory without a process", lambda: os.memfd_create("x") and "memfd_create")
attempt("namespace of its own", lambda: ctypes.CDLL(None).unshare(0x10000000) == 0 and "user namespace")
os.write(3, json.dumps(reached).encode())
