# The first program in a container. It gets the job on standard input, runs it, and reports how it ended.
import base64, fcntl, json, os, shutil, subprocess, sys, tempfile, threading

job = json.load(sys.stdin.buffer)
os.write(2, ("\n%s begin\n" % job["mark"]).encode())
files, work = tempfile.mkdtemp(), tempfile.mkdtemp()
paths = []
for name in ("runner", "script"):
    paths.append(os.path.join(files, name + ".py"))
    with open(paths[-1], "wb") as f:
        f.write(base64.b64decode(job[name]))
read, write = os.pipe()
read, write = (fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in (read, write))
os.dup2(write, 3)  # the descriptor of the result; subprocess hands it on
os.close(write)
child = subprocess.Popen([sys.executable, "-I", "-B"] + paths, stdin=subprocess.PIPE, pass_fds=(3,), cwd=work,
    env={"PATH": os.environ.get("PATH", ""), "HOME": work, "TMPDIR": work, "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2"})
os.close(3)
result = bytearray()


def feed():
    try:
        child.stdin.write(base64.b64decode(job["input"]))
        child.stdin.close()
    except OSError:
        pass  # a script need not read its input


def collect():
    while len(result) <= job["output"]:
        part = os.read(read, 65536)
        if not part:
            break
        result.extend(part)


reader = threading.Thread(target=collect, daemon=True)
for thread in (reader, threading.Thread(target=feed, daemon=True)):
    thread.start()
try:
    code = child.wait(job["seconds"])
except subprocess.TimeoutExpired:
    child.kill()  # concur is gone, or it would have ended this container
    code = child.wait()
reader.join(0.3)  # a process that the script left may hold the pipe
for folder in (files, work):
    shutil.rmtree(folder, ignore_errors=True)  # a container is removed, but a command may not remove its files
os.write(2, ("\n%s end %d %s\n" % (job["mark"], code, base64.b64encode(bytes(result)).decode())).encode())
os._exit(0)
