// Agents and runs, with the command of CONCUR_BINARY or of the installed package. Run with: node --test test/
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const module = process.env.CONCUR_MODULE ?? new URL("../lib/index.js", import.meta.url).href;
const { ABSTAIN, agent, ConcurError, run } = await import(module);
const { queries } = await import(new URL("./vitest.js", module).href);
const { served } = await import(new URL("./agent.js", module).href);

const folder = mkdtempSync(join(tmpdir(), "Zoë's runs "));
process.chdir(folder);
const questions = [["What is 6 times 7?", 42], ["How long?", "30 days"], ["Who?", "Ann Perry"]];
const answers = new Map(questions);
const good = agent((task) => answers.get(task.query), { name: "good" });
const worse = agent(({ query }) => (query.includes("times") ? 41 : answers.get(query)), { name: "worse" });
const request = { query: "Who?", call: 7, settings: { model: "openai:gpt-4o-mini", temperature: 0.3 }, endpoint: { openai_base_url: "http://x/v1", anthropic_base_url: "http://x", api_key: "k" } };

test("what an agent may return", async () => {
  for (const [value, want] of [
    ["42", { answer: "42" }], [42, { answer: 42 }], [10n ** 20n, { answer: "100000000000000000000" }], [true, { answer: true }],
    [["a", 1], { answer: ["a", 1] }], [new Set(["a"]), { answer: ["a"] }], [ABSTAIN, { answer: "[ABSTAIN]" }], [0, { answer: 0 }],
    [undefined, { outcome: "no_answer" }], [null, { outcome: "no_answer" }], [NaN, { outcome: "no_answer" }], [-Infinity, { outcome: "no_answer" }],
    [{ message: "It is 42." }, { message: "It is 42." }], [{ answer: 0 }, { answer: 0 }], [{}, { outcome: "no_answer" }], [{ answer: NaN }, { outcome: "no_answer" }],
  ]) {
    assert.deepEqual(await agent(async () => value).reply(request), { ...want, call: 7 });
  }
});

test("what no reply can have", async () => {
  const loop = {};
  loop.message = loop;
  for (const value of [Buffer.from("x"), new Uint8Array(2), { answer: Buffer.from("x") }, () => 1, Symbol("x"), [Buffer.from("x")], loop]) {
    const { error } = await agent(() => value).reply(request);
    assert.match(error, /^TypeError: /);
  }
  const { error } = await agent(() => { throw new RangeError("no such page"); }).reply(request);
  assert.equal(error, "RangeError: no such page");
  assert.throws(() => agent(3), /an agent is a function, and not a number/);
});

test("the task", async () => {
  let seen;
  await agent((task) => { seen = task; }).reply(request);
  assert.deepEqual([seen.model.provider, seen.model.name, seen.model.openai()], ["openai", "gpt-4o-mini", { baseURL: "http://x/v1", apiKey: "k", maxRetries: 0 }]);
  await agent((task) => { seen = task; }).reply({ ...request, endpoint: null });
  assert.deepEqual(seen.model.anthropic(), {});
});

test("the server needs its key", async () => {
  await served(good, async (env) => {
    const post = (key) => fetch(`http://127.0.0.1:${env.LOCAL_AGENT_PORT}/?key=${key}`, { method: "POST", body: JSON.stringify(request) });
    assert.deepEqual(await (await post(env.LOCAL_AGENT_KEY)).json(), { answer: "Ann Perry", call: 7 });
    assert.equal((await post("0".repeat(48))).status, 403);
    assert.equal((await post("")).status, 403);
  });
});

test("a run, the gate, the items of vitest", async () => {
  for (let i = 0; i < 3; i++) await (await run(good, questions, { k: 5 })).accept();
  const items = await queries(worse, questions, { k: 5, gate: "baseline.jsonl" });
  assert.deepEqual(items.map((q) => [q.query, q.right]), [["q-0001", false], ["q-0002", true], ["q-0003", true], ["gate", false]]);
  assert.throws(() => items[0].check(), /broken.*\nquestion {3}What is 6 times 7\?\nexpected {3}42\nanswer {5}41/);
  items[1].check();
  assert.throws(() => items[3].check(), /^Error: REGRESSION\nq-0001 is broken/);
  const [first, second] = await queries(worse, questions, { k: 1 });
  assert.throws(() => first.check(), /incorrect: .*\n[^]*see why {4}concur trace/);
  second.check();
});

test("two runs at once", async () => {
  const [a, b] = await Promise.all([run(good, questions, { k: 2 }), run(worse, questions, { k: 2 })]);
  assert.equal((await a.summary()).configurations[0].counts.correct, 3);
  assert.equal((await b.summary()).configurations[0].counts.correct, 2);
});

test("an agent that always fails, and other mistakes", async () => {
  await assert.rejects(run(() => { throw new Error("no such page"); }, questions, { k: 2 }), (e) => e instanceof ConcurError && e.exitCode === 3 && /no such page/.test(e.message));
  await assert.rejects(run(good, "nowhere.csv"), (e) => e.exitCode === 2);
  await assert.rejects(run(good, []), /no questions/);
  for (const row of ["What?", ["What?"], ["What?", 1, 2], null]) {
    await assert.rejects(run(good, [["Who?", "Ann"], row]), /^TypeError: a question is an object, or a pair of question and answer, and not /);
  }
  writeFileSync("concur.yaml", "\uFEFFk: 2\r\n");
  assert.equal((await (await run(good, questions)).summary()).configurations[0].k, 2);
  writeFileSync("concur.yaml", "agent: {temperature: 0.1}\n");
  await assert.rejects(run(good, questions), /concur.yaml has an agent already/);
});

test("an agent that fails sometimes and prints", async () => {
  const odd = agent(({ query, trace }) => {
    console.log('{"answer": "wrong"}');
    process.stdout.write('{"answer": "wrong"}\n');
    if (trace === 1) throw new Error("lost");
    return query === "Who?" ? NaN : answers.get(query);
  });
  const done = await run(odd, questions, { k: 3, config: {} });
  const { counts } = (await done.summary()).configurations[0];
  assert.deepEqual([counts.correct, counts.queries], [2, 3]);
  const traces = readFileSync(join(done.folder, "results.jsonl"), "utf8").split("\n").slice(1).filter(Boolean)
    .map((line) => JSON.parse(line)).map((record) => record.answers.map((a) => a.outcome).sort().join());
  assert.deepEqual(traces.sort(), ["answered,answered,infra", "answered,answered,infra", "infra,no_answer,no_answer"]);
});

test("a command that is killed", { skip: process.platform === "win32" && "the command is a shell script" }, async () => {
  const path = join(folder, "killed");
  writeFileSync(path, "#!/bin/sh\necho begins >&2\nkill -9 $$\n", { mode: 0o755 });
  const before = process.env.CONCUR_BINARY;
  process.env.CONCUR_BINARY = path;
  try {
    await assert.rejects(run(good, questions, { config: {} }), (e) => e.exitCode === null && /^concur run was killed by SIGKILL: begins$/.test(e.message));
  } finally {
    if (before === undefined) delete process.env.CONCUR_BINARY;
    else process.env.CONCUR_BINARY = before;
  }
});

test("Ctrl-C, and the run goes on", { skip: process.platform === "win32" && "sends SIGINT" }, async () => {
  mkdirSync("interrupted");
  writeFileSync("interrupted/slow.mjs", `import { agent, run, Interrupted } from ${JSON.stringify(new URL(module).href)};
    import { setTimeout } from "node:timers/promises";
    const slow = agent(async ({ query }) => {
      if (process.argv[2] === "slow" && query !== "1?") {
        console.log("waits");
        await setTimeout(1000);
      }
      return query[0];
    }, { version: "1" });
    const questions = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => [n + "?", n]);
    try {
      const done = await run(slow, process.argv[2] === "slow" ? questions : undefined, process.argv[2] === "slow" ? { k: 1, concurrency: 1 } : { resume: "latest" });
      console.log((await done.summary()).configurations[0].counts.correct);
    } catch (error) {
      console.log(error instanceof Interrupted, error.exitCode, error.message);
    }`);
  const script = spawn(process.execPath, ["slow.mjs", "slow"], { cwd: "interrupted", detached: true, stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  script.stdout.setEncoding("utf8").on("data", (part) => {
    if (!text.includes("waits") && part.includes("waits")) process.kill(-script.pid, "SIGINT"); // as a terminal does
    text += part;
  });
  assert.equal(await new Promise((resolve) => script.on("close", resolve)), 0);
  const [, name] = /true 130 the run was stopped by Ctrl-C; finish it with run\(agent, undefined, { resume: "([^"]+)" }\)\n/.exec(text) ?? [];
  assert.deepEqual(readdirSync("interrupted/runs").filter((entry) => entry[0] !== "."), [name], text);
  const done = spawnSync(process.execPath, ["slow.mjs", "fast"], { cwd: "interrupted", encoding: "utf8" });
  assert.equal(done.stdout, "8\n", done.stderr);
});

test("an agent on standard input", () => {
  writeFileSync("served.mjs", `import { agent } from ${JSON.stringify(new URL(module).href)};
    await agent(async (task) => { console.log("working"); process.stdout.write("more\\n"); return task.query; }).serve();`);
  const done = spawnSync(process.execPath, ["served.mjs"], { input: '{"query": "ü", "call": 1}\r\n{"query": "b", "call": 2}\n[]\n', encoding: "utf8" });
  const lines = done.stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.slice(0, 2), [{ answer: "ü", call: 1 }, { answer: "b", call: 2 }]);
  assert.match(lines[2].error, /cannot be read/);
  assert.match(done.stderr, /working\nmore/);
  assert.ok(readdirSync(".").includes("runs"));
});
