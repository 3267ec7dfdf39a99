# Leaves a process in a session of its own, and one that is stopped.
import os, signal, time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    os._exit(0)
if os.fork() == 0:
    os.kill(os.getpid(), signal.SIGSTOP)
time.sleep(0.5)
os.write(3, b"left")
