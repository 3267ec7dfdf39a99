import sys
exec(compile(open(sys.argv[1]).read(), "main.py", "exec"), {"__name__": "__main__"})
