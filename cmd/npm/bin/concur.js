#!/usr/bin/env node
// Runs the concur command of this platform: arguments, signals and exit codes are unchanged.
import { spawn } from "node:child_process";
import { binary, environment } from "../lib/binary.js";

let command;
try {
  command = binary();
} catch (error) {
  console.error(`concur: ${error.message}`);
  process.exit(2);
}
const args = process.argv.slice(2);
// Node 22.15 and later can become the command.
if (process.execve && process.platform !== "win32") process.execve(command, [command, ...args], environment());

// A terminal sends Ctrl-C to both processes. A second one would end a run at once, without its last traces.
// The handlers come first, so that a signal to a command that has just started is not lost.
const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (!(terminal && signal === "SIGINT")) child.kill(signal);
  });
}
const child = spawn(command, args, { stdio: "inherit", env: environment() });
child.on("error", (error) => {
  console.error(`concur: ${command} cannot be started: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  setTimeout(() => process.exit(1), 1000); // the signal is ignored here
});
