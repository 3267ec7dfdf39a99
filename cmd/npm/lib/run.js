// Runs of an agent over a dataset, and their results.
import { spawn } from "node:child_process";
import { createHash, randomInt } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { address, agent as asAgent, served } from "./agent.js";
import { binary, ConcurError, environment } from "./binary.js";

/** A finished run. */
export class Run {
  constructor(folder, of) {
    this.folder = folder;
    this.agent = of;
  }

  /** The figures of all configurations, as in concur report RUN --format json. */
  async summary() {
    return JSON.parse(await output(["report", this.folder, "--format", "json"]));
  }

  /** One row for each query, as in concur report RUN --rows queries. */
  async queries() {
    return JSON.parse(await output(["report", this.folder, "--rows", "queries", "--format", "json"])).queries;
  }

  /** Compares the run with the accepted runs of a baseline file. The gate may run fresh traces of the agent. */
  async gate(baseline = "baseline.jsonl", { args = [] } = {}) {
    const { result } = await resultOf(["gate", this.folder, "--baseline", baseline, "--yes", ...args], this.agent, [0, 1, 3, 4]);
    return result;
  }

  /** Accepts the run into a baseline file. */
  async accept(baseline = "baseline.jsonl") {
    await output(["baseline", "add", this.folder, "--baseline", baseline]);
  }
}

/** Runs an agent over a dataset, k traces for each query. */
export async function run(of, dataset, { k, seed, name, limit, model, concurrency, config, runsDir, resume, args = [] } = {}) {
  const agent = of === null ? null : asAgent(of);
  const runs = runsDir ?? (process.env.CONCUR_RUNS_DIR || "runs");
  const folder = mkdtempSync(join(tmpdir(), "concur-"));
  try {
    const given = ["run"];
    if (resume) {
      given.push("--resume", resume);
    } else {
      if (dataset !== undefined) given.push(datasetName(dataset, runs));
      // A function need not repeat its answers, whatever the model of the configuration.
      const drawn = seed ?? (agent && !process.env.CONCUR_SEED ? randomInt(2 ** 31) : undefined);
      const settings = { "-k": k, "--seed": drawn, "--limit": limit, "--model": model, "--concurrency": concurrency, "--name": name ?? agent?.name };
      for (const [flag, value] of Object.entries(settings)) if (value !== undefined) given.push(flag, String(value));
      const text = configuration(agent, config);
      if (text !== null) {
        const path = join(folder, "concur.yaml");
        writeFileSync(path, text);
        given.push("--config", path);
      }
    }
    const { result, code, messages } = await resultOf([...given, "--runs-dir", runs, "--yes", ...args], agent, [0, 3]);
    const done = new Run(join(runs, result.run), agent);
    if (code === 3) throw Object.assign(new ConcurError(messages || "a query has no valid trace", 3), { run: done });
    return done;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function datasetName(dataset, runs) {
  if (typeof dataset === "string") return dataset;
  const rows = [...dataset].map(questionOf);
  if (rows.length === 0) throw new Error("the dataset has no questions");
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
  const folder = join(runs, ".datasets");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `questions-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.json`);
  writeFileSync(`${path}.${process.pid}.tmp`, text, { mode: 0o600 });
  renameSync(`${path}.${process.pid}.tmp`, path); // other processes may read the file at this moment
  return path;
}

function questionOf(row) {
  if (Array.isArray(row) && row.length === 2) return { question: row[0], answer: row[1] };
  if (row !== null && typeof row === "object" && !Array.isArray(row)) return row;
  throw new TypeError(`a question is an object, or a pair of question and answer, and not ${JSON.stringify(row)}`);
}

/** Returns the text of a configuration in which the function is the agent; null for the file that concur finds. */
function configuration(agent, config) {
  const own = agent && {
    http: address, proxy: agent.proxy, ...agent.identity(),
    ...(agent.parts.length > 0 && { parts: agent.parts }), ...(agent.timeout && { timeout: agent.timeout }),
  };
  if (config !== undefined && typeof config !== "string") {
    return JSON.stringify(own ? { ...config, agent: { ...config.agent, ...own } } : config);
  }
  const path = config ?? "concur.yaml";
  if (config === undefined && !existsSync(path)) return own ? JSON.stringify({ agent: own }) : null;
  if (!own) return config === undefined ? null : readFileSync(path, "utf8");
  const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (/^(["']?)agent\1[ \t]*:/m.test(text)) throw new ConcurError(`${path} has an agent already: remove it there, or give config without it`);
  if (text.trimStart().startsWith("{")) throw new ConcurError(`${path} is JSON: give its content as config`);
  return `${text.trimEnd()}\n\nagent: ${JSON.stringify(own)}\n`;
}

/** Runs a command that may call the agent, and returns its result. */
async function resultOf(given, agent, codes) {
  const folder = mkdtempSync(join(tmpdir(), "concur-"));
  const out = join(folder, "result.json");
  const go = (more) => start([...given, "--format", "json", "--out", out, "--quiet"], codes, more);
  try {
    const { code, messages } = agent ? await served(agent, go) : await go({});
    if (!existsSync(out)) throw new ConcurError(messages || `concur ${given[0]} printed no result`, code);
    return { result: JSON.parse(readFileSync(out, "utf8")), code, messages };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the standard output of a command. */
async function output(given) {
  return (await start(given, [0], {})).text;
}

const patience = 60_000; // milliseconds that running traces get after Ctrl-C; then they are ended

/** Ctrl-C ended a run. run is its name, or "" if it had not begun. */
export class Interrupted extends Error {
  constructor(messages) {
    const name = basename(/--resume (\S+)/.exec(messages)?.[1].replace(/^[`'"]+|[`'"/\\]+$/g, "") ?? "");
    super(`the run was stopped by Ctrl-C${name && `; finish it with run(agent, undefined, { resume: "${name}" })`}`);
    Object.assign(this, { name: "Interrupted", run: name, exitCode: 130 });
  }
}

// The command has a process group of its own, so that Ctrl-C reaches it once, and only from here. A worker thread gets
// no signals, and Windows has none: there the terminal's Ctrl-C reaches the command.
const apart = isMainThread && process.platform !== "win32";

function start(given, codes, more) {
  return new Promise((resolve, reject) => {
    const child = spawn(binary(), given, { env: environment(more), stdio: ["ignore", "pipe", "pipe"], detached: apart });
    const texts = ["", ""];
    [child.stdout, child.stderr].forEach((stream, i) => stream.setEncoding("utf8").on("data", (part) => (texts[i] += part)));
    const stop = stopper(child);
    child.on("error", (error) => {
      stop.done();
      reject(error);
    });
    child.on("close", (code, signal) => {
      stop.done();
      const messages = texts[1].trim();
      if (stop.interrupted) return reject(new Interrupted(messages));
      if (signal) return reject(new ConcurError(`concur ${given[0]} was killed by ${signal}${messages ? `: ${messages}` : ""}`));
      if (!codes.includes(code)) return reject(new ConcurError(messages || `concur ${given[0]} ended with exit code ${code}`, code));
      return resolve({ code, text: texts[0], messages });
    });
  });
}

/** Ends a command in order after Ctrl-C: it finishes its traces and writes its files. A second Ctrl-C ends the traces. */
function stopper(child) {
  const signals = ["SIGINT", "SIGTERM", "SIGKILL"];
  let timer;
  const stop = {
    interrupted: false,
    done() {
      clearTimeout(timer);
      process.off("SIGINT", interrupt).off("exit", leave);
    },
  };
  function interrupt() {
    stop.interrupted = true;
    if (!apart) return;
    child.kill(signals.shift() ?? "SIGKILL");
    clearTimeout(timer);
    timer = setTimeout(interrupt, patience);
  }
  const leave = () => child.kill(apart ? "SIGINT" : "SIGTERM");
  process.on("SIGINT", interrupt).on("exit", leave);
  return stop;
}
