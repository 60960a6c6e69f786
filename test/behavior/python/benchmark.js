// Measures generated Python by hand, after `npm run test:long -- languages python`.
//   node test/behavior/python/benchmark.js
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));
const work = fileURLToPath(new URL("../.work/benchmark", import.meta.url));

const run = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
};

const count = (to, text) => Array.from({ length: to }, (_, n) => text(n));
const item = `struct Item
${count(5, (n) => `  - text${n}: string\n    + maxLength = 40`).join("\n")}
${count(6, (n) => `  - count${n}: int32`).join("\n")}
  - at: timestamp
  - large: bigint
  - flag: bool
  - tags: []string
`;
const head = (name) => `webrpc = v1\nname = ${name}\nversion = v1.0.0\n\n`;
const schemas = {
  bench: `${head("bench")}${item}
service Bench
  - Small(item: Item) => (item: Item)
  - Large(id: uint32) => (items: []Item)
`,
  many: `${head("many")}${count(300, (n) => item.replace("Item", `Item${n}`)).join("\n")}
${count(50, (service) => `service S${service}\n${count(20, (n) => `  - Get${service}X${n}(id: uint32, name?: string) => (item: Item${(service * 20 + n) % 300}, next?: string)`).join("\n")}`).join("\n\n")}
`,
};

rmSync(work, { recursive: true, force: true });
for (const [name, schema] of Object.entries(schemas)) {
  const folder = `${work}/${name}`;
  mkdirSync(folder, { recursive: true });
  // Templates of a project must be in its folder.
  cpSync(`${root}templates/python`, `${folder}/set`, { recursive: true });
  writeFileSync(`${folder}/${name}.ridl`, schema);
  const config = `schema: ["${name}.ridl"]\nemit: ["./set"]\n`;
  writeFileSync(`${folder}/ridl.config.yaml`, config);
  run(process.execPath, [`${root}bin/ridl.js`, "generate"], folder);
  const source = `${folder}/generated/python/${name}`;
  cpSync(source, `${work}/packages/${name}`, { recursive: true });
}
const packages = `${work}/packages`;
cpSync(`${here}benchmark.py`, `${packages}/benchmark.py`);
run(`${work}/../python/bin/python`, ["benchmark.py"], packages);
