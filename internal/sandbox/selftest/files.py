# Makes 20,000 empty files, then waits.
import os, time

count = 0
try:
    while count < 20000:
        os.close(os.open("empty%d" % count, os.O_CREAT))
        count += 1
except OSError:
    os.write(3, b"error")
    os._exit(0)
time.sleep(5)
os.write(3, b"all")
