# Fills the memory of 8 processes. Standard input has the number of bytes for all together.
import os, sys, time

size = int(sys.stdin.read())
full, report = os.pipe()
for i in range(8):
    if os.fork() == 0:
        part = bytearray(b"x" * (size // 8))
        os.write(report, b"x")
        time.sleep(60)
        os._exit(0)
got = 0
while got < 8:
    got += len(os.read(full, 8))
time.sleep(5)
os.write(3, b"full")
