// Drives `concur mcp serve` with the official client, over both transports, and prints a line
// of JSON for each case. Arguments: concur, its configuration, the URL of a server that runs.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [concur, configuration, url] = process.argv.slice(2);

async function check(name, act) {
  try {
    await act();
    console.log(JSON.stringify({ name, status: "pass" }));
  } catch (e) {
    console.log(JSON.stringify({ name, status: "fail", detail: String(e.stack ?? e) }));
  }
}

function equal(got, want) {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

for (const [transport, make] of [
  ["stdio", () => new StdioClientTransport({ command: concur, args: ["mcp", "serve", "--config", configuration] })],
  ["http", () => new StreamableHTTPClientTransport(new URL(url))],
]) {
  const client = new Client({ name: "peer", version: "1.0.0" });
  await check(`${transport}: connects`, () => client.connect(make()));
  await check(`${transport}: lists tools`, async () => {
    const { tools } = await client.listTools();
    equal(tools.map((t) => t.name).sort(), ["calc", "web_search"]);
    equal(tools.every((t) => t.inputSchema.additionalProperties === false), true);
  });
  await check(`${transport}: calls calc`, async () => {
    const r = await client.callTool({ name: "calc", arguments: { expression: "2**10" } });
    equal(r.structuredContent, { value: "1024" });
    equal(JSON.parse(r.content[0].text), { value: "1024" });
  });
  await check(`${transport}: documents keep their ids`, async () => {
    const ids = [];
    for (const query of ["Danube", "Danube"]) {
      const r = await client.callTool({ name: "web_search", arguments: { query, limit: 1 } });
      ids.push(r.structuredContent.results[0].id);
    }
    equal(ids, ["corpus_1", "corpus_1"]);
  });
  await check(`${transport}: an error is a result`, async () => {
    const r = await client.callTool({ name: "calc", arguments: { expression: "1/0" } });
    equal(r.isError, true);
    if (!r.content[0].text.includes("division by zero")) throw new Error(r.content[0].text);
  });
  await check(`${transport}: a wrong argument is a result`, async () => {
    const r = await client.callTool({ name: "calc", arguments: { sum: "1" } });
    equal(r.isError, true);
  });
  await check(`${transport}: closes`, () => client.close());
}
console.log(JSON.stringify({ status: "done" }));
