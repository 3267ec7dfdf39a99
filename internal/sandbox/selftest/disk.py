# Fills the working folder. Standard input has the number of bytes.
import os, sys

size = int(sys.stdin.read())
written = 0
try:
    for i in range(8):
        with open("big%d" % i, "wb", buffering=0) as f:
            for k in range(size // 8 >> 16):
                written += f.write(b"x" * 65536)
except OSError:
    pass
os.write(3, str(written).encode())
