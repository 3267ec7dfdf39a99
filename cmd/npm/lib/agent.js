// Agents: functions that concur can call. docs/your-agent.md of the project has the contract.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { writeSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

/** The answer of an agent that does not know. */
export const ABSTAIN = "[ABSTAIN]";
/** The answer of an agent that does not want to answer. */
export const REFUSE = "[REFUSE]";

const maxError = 2000; // characters of an error that are sent
const maxRequest = 64 << 20; // bytes

/** Turns a function, sync or async, into an agent that concur can evaluate. */
export function agent(fn, options = {}) {
  if (fn instanceof Agent) return fn;
  if (typeof fn !== "function") throw new TypeError(`an agent is a function, and not ${fn === null ? "null" : `a ${typeof fn}`}`);
  return new Agent(fn, options);
}

export class Agent {
  constructor(fn, { name, version = "", files = [], parts = [], proxy = true, timeout = "" } = {}) {
    Object.assign(this, { fn, name: name || fn.name || "agent", version, files, parts, proxy, timeout });
  }

  /** Answers a request of the contract. A failure of the function is an error in the reply. */
  async reply(request) {
    let answer;
    try {
      answer = replyOf(await this.fn(taskOf(request)));
      JSON.stringify(answer); // a loop in the value is an error of the function too
    } catch (error) {
      console.error(error);
      const text = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${String(error)}`;
      answer = { error: text.slice(0, maxError) };
    }
    return request.call ? { ...answer, call: request.call } : answer;
  }

  /** Answers a request and returns the reply, both as one line of JSON. */
  async line(text) {
    let request;
    try {
      request = JSON.parse(text);
    } catch {
      // the reply says so
    }
    if (typeof request?.query !== "string") return JSON.stringify({ error: "concur's request cannot be read: it is no JSON object with a query" });
    return JSON.stringify(await this.reply(request));
  }

  /** Answers requests on standard input, one per line, until its end: the main program of an agent file. */
  async serve() {
    const out = process.stderr.write.bind(process.stderr);
    process.stdout.write = out; // standard output is for replies
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (line.trim()) writeAll(`${await this.line(line)}\n`);
    }
  }

  /** Returns the keys of the configuration that say which version of the agent runs. */
  identity() {
    const out = {};
    if (this.version) out.version = this.version;
    if (this.files.length > 0) out.files = this.files;
    if (!this.version && this.files.length === 0) {
      out.version = `source ${createHash("sha256").update(this.fn.toString()).digest("hex").slice(0, 12)}`;
    }
    return out;
  }
}

function writeAll(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error; // the pipe is full
    }
  }
}

/** Returns the task of a request: its fields, and the model with arguments for clients. */
function taskOf(request) {
  const { model: whole = "", temperature = 0.7 } = request.settings ?? {};
  const [, provider, name] = /^(?:([^:]*):)?(.*)$/s.exec(whole);
  const endpoint = request.endpoint;
  const client = (url) => (endpoint ? { baseURL: url, apiKey: endpoint.api_key, maxRetries: 0 } : {});
  return {
    id: "", answer_type: "", history: [], trace: 0, seed: 0, off: [],
    limits: { timeout_s: 300, max_steps: 10, max_tool_calls: 8 },
    ...request,
    model: {
      provider: provider ?? "", name, temperature,
      openai: () => client(endpoint?.openai_base_url),
      anthropic: () => client(endpoint?.anthropic_base_url),
    },
  };
}

const fields = ["answer", "message", "outcome", "error", "evidence", "steps", "usage"];

/** Returns what an agent returned as a reply of the contract. */
export function replyOf(value) {
  if (isBytes(value)) throw new TypeError("the agent returned bytes: return text, such as value.toString()");
  if (value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Date) && !(value instanceof Set)) {
    const reply = { ...value };
    if (isBytes(reply.answer) || isBytes(reply.message)) throw new TypeError("the agent returned bytes: return text, such as value.toString()");
    if ("answer" in reply) reply.answer = plain(reply.answer);
    if (reply.answer === null) delete reply.answer;
    if (!fields.slice(0, 4).some((name) => reply[name])) {
      const given = Object.keys(value);
      if (given.length > 0 && !given.some((name) => fields.includes(name))) return reply; // concur explains the mistake
      if (reply.answer === undefined) reply.outcome = "no_answer";
    }
    return reply;
  }
  const answer = plain(value);
  return answer === null ? { outcome: "no_answer" } : { answer };
}

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** Returns an answer as JSON can have it; null for undefined, NaN and infinity. */
function plain(value) {
  switch (typeof value) {
    case "undefined": return null;
    case "number": return Number.isFinite(value) ? value : null;
    case "bigint": return value.toString();
    case "string": case "boolean": return value;
    case "function": case "symbol": throw new TypeError(`the agent returned a ${typeof value}: return text, a number, a list or a reply`);
  }
  if (value === null) return null;
  if (isBytes(value)) throw new TypeError("the agent returned bytes: return text, such as value.toString()");
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return [...value].map(plain);
  return Array.isArray(value) ? value.map(plain) : value;
}

/** agent.http of the configuration. Port and key differ in each run, and are not part of the agent hash. */
export const address = "http://127.0.0.1:${LOCAL_AGENT_PORT}/?key=${LOCAL_AGENT_KEY}";

/** Serves an agent on a port of this machine while use runs. use gets the variables that address names. */
export async function served(of, use) {
  const key = randomBytes(24).toString("hex");
  const server = createServer((request, response) => answer(of, key, request, response));
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  try {
    return await use({ LOCAL_AGENT_PORT: String(server.address().port), LOCAL_AGENT_KEY: key });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function answer(of, key, request, response) {
  const end = (status, body) => response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  const given = Buffer.from(new URL(request.url, "http://localhost").searchParams.get("key") ?? "");
  if (request.method !== "POST" || given.length !== key.length || !timingSafeEqual(given, Buffer.from(key))) {
    return end(403, '{"error": "the key is wrong"}');
  }
  const parts = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += part.length;
      if (size > maxRequest) return end(413, '{"error": "the request is too large"}');
      parts.push(part);
    }
  } catch {
    return undefined; // concur disconnected
  }
  return end(200, await of.line(Buffer.concat(parts).toString()));
}
