export { ABSTAIN, Agent, agent, REFUSE } from "./agent.js";
export { binary, ConcurError } from "./binary.js";
export { Interrupted, Run, run } from "./run.js";
