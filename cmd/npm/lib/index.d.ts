/** The answer of an agent that does not know. */
export const ABSTAIN: "[ABSTAIN]";
/** The answer of an agent that does not want to answer. */
export const REFUSE: "[REFUSE]";

/** One request to an agent: a question, for one of the K traces. docs/your-agent.md explains the fields. */
export interface Task {
  query: string;
  id: string;
  answer_type: string;
  history: { role: "user" | "assistant"; content: string }[];
  trace: number;
  seed: number;
  limits: { timeout_s: number; max_steps: number; max_tool_calls: number };
  off: string[];
  model: Model;
}

/** The model of the configuration, and arguments for clients whose calls are recorded: new OpenAI(task.model.openai()). */
export interface Model {
  provider: string;
  name: string;
  temperature: number;
  openai(): ClientOptions;
  anthropic(): ClientOptions;
}

export interface ClientOptions {
  baseURL?: string;
  apiKey?: string;
  maxRetries?: number;
}

export type Answer = string | number | bigint | boolean | Date | null | undefined | (string | number | boolean)[] | Set<string>;

/** A whole reply of the contract. One of answer, message, outcome and error is enough. */
export interface Reply {
  answer?: Answer;
  message?: string;
  outcome?: "answered" | "refused" | "abstained" | "no_answer";
  error?: string;
  evidence?: { id: string; title?: string; url?: string; text?: string; score?: number }[];
  steps?: { thought?: string; action?: { name: string; input?: unknown } | null; observation?: unknown }[];
  usage?: { model_calls?: number; input_tokens?: number; output_tokens?: number; cached_tokens?: number };
}

export type AgentFunction = (task: Task) => Answer | Reply | Promise<Answer | Reply>;

export interface AgentOptions {
  /** The name in tables; default: the function's. */
  name?: string;
  /** Which version of the agent runs; default: the text of the function. */
  version?: string;
  files?: string[];
  /** The parts that --without can switch off; task.off has those. */
  parts?: string[];
  /** false: the agent's model calls are not recorded. */
  proxy?: boolean;
  /** The limit of a trace, such as 2m. */
  timeout?: string;
}

export class Agent {
  readonly name: string;
  /** Answers requests on standard input, one per line, until its end: the main program of an agent file. */
  serve(): Promise<void>;
}

/** Turns a function, sync or async, into an agent that concur can evaluate. */
export function agent(fn: AgentFunction | Agent, options?: AgentOptions): Agent;

/** The name of a built-in dataset, a file, or questions: objects as in a dataset file, or pairs of question and answer. */
export type Dataset = string | Iterable<readonly Answer[] | Record<string, unknown>>;

export interface RunOptions {
  k?: number;
  seed?: number;
  name?: string;
  limit?: number;
  model?: string;
  concurrency?: number;
  /** The configuration, or its file; default: concur.yaml if it exists. */
  config?: string | Record<string, unknown>;
  runsDir?: string;
  resume?: string;
  /** Further arguments of concur run. */
  args?: string[];
}

export interface QueryRow {
  query: string;
  category: string;
  question: string;
  expected: string;
  answer: string;
  votes: string;
  verdict: "correct" | "incorrect" | "unscored";
  reason: string;
  trace: string;
}

export interface Gate {
  decision: "PASS" | "REGRESSION" | "DRIFT" | "INCONCLUSIVE" | "INVALID";
  reasons: string[];
  warnings: string[];
  queries: { query: string; status: string }[];
}

export class Run {
  readonly folder: string;
  /** The figures of all configurations: docs/summary.schema.json. */
  summary(): Promise<any>;
  queries(): Promise<QueryRow[]>;
  /** Compares the run with the accepted runs of a baseline file. The gate may run fresh traces of the agent. */
  gate(baseline?: string, options?: { args?: string[] }): Promise<Gate>;
  /** Accepts the run into a baseline file. */
  accept(baseline?: string): Promise<void>;
}

/** Runs an agent over a dataset; null runs the agent of the configuration. */
export function run(agent: Agent | AgentFunction | null, dataset?: Dataset, options?: RunOptions): Promise<Run>;

/** A failure of the concur command. run is set if only some queries have no valid trace. */
export class ConcurError extends Error {
  readonly exitCode: number | null;
  readonly run?: Run;
}

/** Ctrl-C ended a run. run is its name, or "" if it had not begun: run(agent, undefined, { resume: name }) finishes it. */
export class Interrupted extends Error {
  readonly run: string;
  readonly exitCode: 130;
}

/** Returns the path of the concur command. */
export function binary(): string;
