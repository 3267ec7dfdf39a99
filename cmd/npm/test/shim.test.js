// The shim: arguments, signals and exit codes are those of the command. Run with: node --test test/
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const shim = process.env.CONCUR_SHIM ?? join(dirname(fileURLToPath(import.meta.url)), "..", "bin", "concur.js");
const folder = mkdtempSync(join(tmpdir(), "Zoë's concur "));

function command(script) {
  const path = join(folder, `command-${Math.random()}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return { ...process.env, CONCUR_BINARY: path };
}

test("exit codes", () => {
  for (const code of [0, 1, 2, 3, 4, 130]) {
    assert.equal(spawnSync(process.execPath, [shim], { env: command(`exit ${code}`) }).status, code);
  }
});

test("arguments and streams", () => {
  const args = ["a b", "", "--x=ü", "*", '"', "-k", "3"];
  const done = spawnSync(process.execPath, [shim, ...args], { env: command('for a in "$@"; do echo "<$a>"; done; cat; echo e >&2'), input: "in\n", encoding: "utf8" });
  assert.equal(done.stdout, `${args.map((a) => `<${a}>\n`).join("")}in\n`);
  assert.equal(done.stderr, "e\n");
});

test("signals reach the command once, and its exit code comes back", async () => {
  for (const [signal, name] of [["SIGINT", "INT"], ["SIGTERM", "TERM"], ["SIGHUP", "HUP"]]) {
    const script = `n=0; trap 'n=$((n+1))' ${name}; echo ready; i=0; while [ $n = 0 ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done; sleep 0.5; echo "$n"; exit 130`;
    const child = spawn(process.execPath, [shim], { env: command(script), stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (part.includes("ready")) child.kill(signal);
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    assert.deepEqual([code, text], [130, "ready\n1\n"], signal);
  }
});

test("a command that is killed", () => {
  const done = spawnSync(process.execPath, [shim], { env: command("kill -9 $$") });
  assert.equal(done.signal ?? done.status, "SIGKILL");
});

test("without a command", () => {
  const env = { ...process.env, CONCUR_BINARY: join(folder, "nowhere") };
  const done = spawnSync(process.execPath, [shim, "run"], { env, encoding: "utf8" });
  assert.equal(done.status, 2);
  assert.match(done.stderr, /^concur: CONCUR_BINARY names .*nowhere, which is not a file/);
});

test("without the package of the platform", () => {
  const { CONCUR_BINARY: _, ...env } = process.env;
  const empty = mkdtempSync(join(tmpdir(), "concur-"));
  // The modules of a copy find no other package.
  spawnSync("cp", ["-r", join(dirname(shim), ".."), join(empty, "concur-eval")]);
  const done = spawnSync(process.execPath, [join(empty, "concur-eval", "bin", "concur.js"), "run"], { env, encoding: "utf8" });
  assert.equal(done.status, 2);
  assert.match(done.stderr, /^concur: concur-eval has no command for this platform: install @concur-eval\//);
});
