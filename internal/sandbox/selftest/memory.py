# Fills the memory of one process. Standard input has the number of bytes.
import os, sys

size = int(sys.stdin.read())
parts = []
for i in range(size >> 20):
    parts.append(bytearray(b"x" * (1 << 20)))
os.write(3, b"full")
