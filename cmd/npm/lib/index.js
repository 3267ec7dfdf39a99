export { ABSTAIN, Agent, agent, REFUSE } from "./agent.js";
export { binary, ConcurError } from "./binary.js";
export { Run, run } from "./run.js";
