// Sends the malformed requests in a file to a generated server, and reports
// those that it does not reject correctly: `npm run conformance:malformed --
// <file>`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ChildServer } from "./child-server.js";
import { parseRows } from "./row.js";
import { printReport, runRows } from "./run-rows.js";
import { forms, serveMalformed } from "./serve.js";

const [argument, form] = process.argv.slice(2);

if (argument === undefined) {
  console.error("usage: npm run conformance:malformed -- <file>");
  process.exitCode = 2;
} else if (argument === "--serve") {
  const options = forms[Number(form)];
  if (options === undefined)
    throw new Error(`there is no form ${String(form)}`);
  const { port } = await serveMalformed(process.cwd(), options);
  process.send?.(port);
} else {
  process.exitCode = await run(argument);
}

async function run(file: string): Promise<number> {
  const rows = parseRows(readFileSync(file, "utf8"));
  const program = fileURLToPath(import.meta.url);
  const servers = forms.map(
    (_, index) => new ChildServer(program, ["--serve", String(index)]),
  );
  const report = await runRows(
    rows,
    servers.map(({ send }) => send),
  );
  servers.forEach((server) => server.close());
  console.log(printReport(report));
  return report.failed === 0 && report.passed > 0 ? 0 : 1;
}
