// The first program in a container. It gets the job on standard input, runs it, and reports how it ended.
const {spawn} = require("child_process"), fs = require("fs"), os = require("os"), path = require("path");
const job = JSON.parse(fs.readFileSync(0, "utf8"));
fs.writeSync(2, `\n${job.mark} begin\n`);
const temporary = () => fs.mkdtempSync(path.join(os.tmpdir(), "job"));
const files = temporary(), work = temporary();
const paths = ["runner", "script"].map(name => {
  const file = path.join(files, name + ".js");
  fs.writeFileSync(file, Buffer.from(job[name], "base64"));
  return file;
});
const env = {PATH: process.env.PATH || "", HOME: work, TMPDIR: work, LANG: "C.UTF-8", MALLOC_ARENA_MAX: "2"};
const child = spawn(process.execPath, paths, {cwd: work, env, stdio: ["pipe", "inherit", "inherit", "pipe"]});
child.stdin.on("error", () => {}); // a script need not read its input
child.stdin.end(Buffer.from(job.input, "base64"));
const parts = [];
let size = 0;
child.stdio[3].on("data", part => { if (size <= job.output) { parts.push(part); size += part.length; } });
const numbers = os.constants.signals;
child.on("exit", (code, signal) => {
  const report = () => {
    // A container is removed, but a command may not remove its files.
    for (const folder of [files, work]) fs.rmSync(folder, {recursive: true, force: true});
    const result = Buffer.concat(parts).toString("base64");
    fs.writeSync(2, `\n${job.mark} end ${signal ? -numbers[signal] : code} ${result}\n`);
    process.exit(0);
  };
  child.stdio[3].on("end", report);
  setTimeout(report, 300); // a process that the script left may hold the pipe
});
setTimeout(() => child.kill("SIGKILL"), job.seconds * 1000).unref(); // concur is gone, or it would have ended this
