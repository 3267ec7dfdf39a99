// Items for test.each of vitest: one for each query of a run.
import { run } from "./run.js";

const named = ["broken", "safety", "lost"]; // beginnings of the states of queries that the gate names

/**
 * Runs an agent over a dataset and returns an item for each query:
 *
 *     test.each(await queries(answer, "questions.csv", { k: 3 }))("$query", (q) => q.check());
 *
 * check throws if the answer on which the traces agree is not right. With gate, a baseline file, it throws only for
 * queries that the gate names, and a last item, gate, for every decision other than PASS.
 */
export async function queries(agent, dataset, { gate, ...settings } = {}) {
  let made;
  try {
    made = await run(agent, dataset, settings);
  } catch (error) {
    if (!error.run || (await error.run.queries()).length === 0) throw error;
    made = error.run; // a query without a valid trace fails by itself
  }
  const rows = await made.queries();
  const decided = gate === undefined ? null : await made.gate(gate);
  const status = new Map((decided?.queries ?? []).map((q) => [q.query, q.status]));
  const items = rows.map((row) => ({
    ...row,
    right: row.verdict === "correct",
    check() {
      const state = status.get(row.query) ?? "";
      const lost = named.some((name) => state.startsWith(name));
      if (decided ? !lost : row.verdict === "correct") return;
      throw new Error([
        decided ? `${state} (${row.verdict})` : `${row.verdict}: ${row.reason}`, `question   ${row.question}`, `expected   ${row.expected}`,
        `answer     ${row.answer}`, `votes      ${row.votes}`, `see why    ${row.trace}`,
      ].join("\n"));
    },
  }));
  if (!decided) return items;
  return [...items, {
    query: "gate", decision: decided.decision, right: decided.decision === "PASS",
    check() {
      if (decided.decision !== "PASS") throw new Error([decided.decision, ...decided.reasons, ...decided.warnings].join("\n"));
    },
  }];
}
