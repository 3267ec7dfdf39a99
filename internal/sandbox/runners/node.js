// The runner of a script in node: `node RUNNER SCRIPT`, the request on standard input, the reply on descriptor 3.
'use strict';
// VALUES

const fs = require('fs'), vm = require('vm');
const request = JSON.parse(fs.readFileSync(0, 'utf8'));
const source = fs.readFileSync(process.argv[2], 'utf8');
const quote = JSON.stringify, send = fs.writeSync.bind(fs);

const reply = (text) => {
  for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(send(3, rest));
};
let replied = false;
const finish = (value) => {
  if (replied) return;
  replied = true;
  if (value === undefined) return reply('{"none":true}');
  const [result, cut] = makeWriter(request.limit)(value);
  reply(cut ? quote({ result, cut }) : `{"result":${result}}`);
};
const fail = (problem) => {
  if (replied) return;
  replied = true;
  let error = 'the script threw ' + typeof problem, trace = '';
  try {
    error = problem instanceof Error ? String(problem) : 'uncaught ' + makeWriter(1000)(problem)[0];
    trace = problem instanceof Error && problem.stack ? String(problem.stack) : error;
  } catch { /* its own conversion failed */ }
  // The frames of this file say nothing about the script.
  trace = trace.split('\n').filter((line) => !line.includes(__filename) && !line.includes('node:')).join('\n');
  process.stderr.write(trace.split('\n').slice(0, request.lines).join('\n') + '\n');
  reply(quote({ error }));
  process.exitCode = 1;
};
process.on('uncaughtException', fail);
process.on('beforeExit', () => { // nothing is left to do; process.exit does not come here
  if (replied) return;
  const problem = new Error('the promise of the result is never settled');
  problem.name = '';
  fail(problem);
});

const run = () => {
  globalThis.args = request.arguments;
  globalThis.require = require;
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  const options = { filename: 'script.js' };
  let script;
  try {
    script = new vm.Script(source, options);
  } catch (problem) {
    if (!/await/.test(String(problem))) throw problem;
    script = new vm.Script(`(async () => {${source}\n})()`, options); // await outside a function
  }
  return script.runInThisContext();
};
const entry = () => {
  const exported = globalThis.module.exports;
  if (typeof exported === 'function') return exported;
  if (exported && typeof exported.main === 'function') return exported.main;
  return vm.runInThisContext("typeof main === 'function' ? main : undefined");
};
const find = (name) => {
  const exported = globalThis.module.exports;
  if (exported && typeof exported[name] === 'function') return exported[name];
  return vm.runInThisContext(`typeof ${name} === 'function' ? ${name} : undefined`);
};
(async () => {
  let value = run();
  if (request.calls) {
    await value;
    replied = true;
    return reply(await answerCalls(request, find));
  }
  const main = entry();
  if (main) {
    await value;
    value = main(request.arguments);
  }
  return await value;
})().then(finish, fail);
