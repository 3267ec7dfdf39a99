// Agents and runs, with the command of CONCUR_BINARY or of the installed package. Run with: node --test test/
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
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
  writeFileSync("concur.yaml", "\uFEFFk: 2\r\n");
  assert.equal((await (await run(good, questions)).summary()).configurations[0].k, 2);
  writeFileSync("concur.yaml", "agent: {temperature: 0.1}\n");
  await assert.rejects(run(good, questions), /concur.yaml has an agent already/);
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
