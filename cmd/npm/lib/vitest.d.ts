import type { Agent, AgentFunction, Dataset, QueryRow, RunOptions } from "./index.js";

/** A query of a run as an item of test.each. The last item of a run with a gate is the gate, without a question. */
export interface QueryItem extends Partial<QueryRow> {
  query: string;
  right: boolean;
  decision?: string;
  /** Throws if the query is not right, or with a gate if the gate names it. */
  check(): void;
}

export function queries(
  agent: Agent | AgentFunction | null,
  dataset?: Dataset,
  options?: RunOptions & { /** A baseline file: the gate decides. */ gate?: string },
): Promise<QueryItem[]>;
