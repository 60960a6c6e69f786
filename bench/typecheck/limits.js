// Measures what TypeScript 7 does with programs that are larger or stricter than
// those of `main.js`, once each, and updates the parts of the report:
//   node typecheck/limits.js          all parts, which takes up to an hour
//   node typecheck/limits.js app      one of them: zod, calls, app or field
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toolsIn } from "../generation/tools.js";
import { createWorkspace } from "../generation/workspace.js";
import { describeMachine, versionOf } from "../harness/machine.js";
import { generated, own } from "./generated.js";
import { lower } from "./names.js";
import { check, writeProject } from "./project.js";
import { routers } from "./routers.js";

const named = process.argv.slice(2);
const page = fileURLToPath(
  new URL("../results/typecheck-limits.md", import.meta.url),
);
const [orpc2, orpc1, trpc, hono] = routers;
const [openapiFetch] = generated;

/** Generates a contract of a size. Returns its folder and the contract. */
function prepare(size) {
  const workspace = createWorkspace(size, `typecheck-limits-${size}`);
  for (const tool of toolsIn(workspace)) {
    if (["ridlkit", openapiFetch.tool].includes(tool.name)) tool.measure();
  }
  return workspace;
}

const placesIn = ({ contract: { services } }) =>
  services.flatMap(({ methods, name, structs }) =>
    methods.map((method) => ({ service: name, method, structs })),
  );

/**
 * Checks a project. Returns the cells of its row: the CPU time and the memory,
 * or the codes of the compiler's errors.
 */
function measure(name, folder) {
  const cells = () => {
    try {
      const { cpu, memory } = check(folder, "7");
      return [`${cpu.toFixed(2)} s`, `${memory.toFixed(0)} MB`, "no"];
    } catch (error) {
      const codes = new Set(error.message.match(/TS\d+/gu));
      if (codes.size === 0) throw error;
      return ["–", "–", [...codes].join(", ")];
    }
  };
  const row = `| ${[name, ...cells()].join(" | ")} |`;
  console.error(row);
  return row;
}

/** Writes a project, whose program may differ from that of `main.js`. */
function write(workspace, subject, name, program) {
  const { folder } = writeProject(workspace, subject, name);
  if (program) writeFileSync(join(folder, "main.ts"), program);
  return folder;
}

/** Returns a subject with types in its routers instead of schemas of zod. */
function withoutZod(subject, schemaOf, head = "") {
  const files = (all) =>
    subject.files(all).map(([path, text]) => {
      if (!path.endsWith("-schemas.ts")) return [path, text];
      const service = path.replace("-schemas.ts", "");
      const types = `import type * as types from "../ridlkit/${service}/types.js";\n`;
      const schemas = [...text.matchAll(/^export const (\w+)/gmu)].map(
        ([, name]) => `export const ${name} = ${schemaOf(`types.${name}`)};\n`,
      );
      return [path, head + types + schemas.join("")];
    });
  return { ...subject, files };
}

const untyped = (subject, server) =>
  withoutZod(
    subject,
    (name) => `type<${name}>()`,
    `import { type } from "${server}";\n`,
  );

/** Writes a program that calls methods, each in a function of its own. */
function writeCalls({ contract }, subject, called, argumentOf) {
  const used = [...new Set(called.map(({ service }) => service))];
  const calls = called.map((place, index) => {
    const callee = subject.method(place);
    const call =
      subject.call?.(callee) ?? `const response = await ${callee}(input);`;
    const type = subject.input?.(callee) ?? `Parameters<typeof ${callee}>[0]`;
    const argument = argumentOf?.(place);
    return `export async function call${index}(${argument ? "" : `input: ${type}`}) {
  ${argument ? call.replace(/\binput\b/u, argument) : call}
  return response;
}
`;
  });
  return `${subject.client(contract, used)}\n${calls.join("")}`;
}

/** Writes all required fields, and one that the method does not have. */
function misspelled({ method, structs }) {
  const { fields } = structs.find(({ name }) => name === method.request);
  const required = fields.filter(({ isOptional }) => !isOptional);
  const values = required.map(({ name }) => `${name}: null!, `);
  return `{ ${values.join("")}misspelled: 1 }`;
}

/** Writes a program with a client of one app that contains all services. */
function writeOneApp({ services }) {
  const names = services.map(({ name }) => lower(name));
  const first = services[0].methods[0].name;
  return `import { Hono } from "hono";
import { hc } from "hono/client";
${names.map((name) => `import { ${name} } from "./${name}.js";\n`).join("")}
const app = new Hono()${names.map((name) => `\n  .route("/${name}", ${name})`).join("")};
const client = hc<typeof app>("https://api.example.com");
export const call = client.${names[0]}.${first}.$post;
`;
}

const subjects = [own.client, trpc, orpc1, orpc2, hono, openapiFetch];

/** The parts of the report: what they measure, and their rows. */
const parts = {
  zod: {
    title: "Routers without zod, 3,000 methods",
    text: `Three calls, as in the other report. Without zod ${versionOf("zod")}, the routers have the same types, written as interfaces.`,
    measure() {
      const workspace = prepare(3_000);
      const typed = [
        withoutZod(trpc, (name) => `(value: unknown) => value as ${name}`),
        untyped(orpc1, "@orpc/server"),
        untyped(orpc2, "orpc-server-2"),
      ];
      return [trpc, orpc1, orpc2].flatMap((subject, index) => [
        measure(
          `${subject.name}, zod`,
          write(workspace, subject, `zod${index}`),
        ),
        measure(
          `${subject.name}, types`,
          write(workspace, typed[index], `types${index}`),
        ),
      ]);
    },
  },
  calls: {
    title: "A program that calls each of 3,000 methods",
    text: "Hono's client has one app for each service.",
    measure() {
      const workspace = prepare(3_000);
      return subjects.map((subject, index) => {
        const program = writeCalls(workspace, subject, placesIn(workspace));
        return measure(
          subject.name,
          write(workspace, subject, `calls${index}`, program),
        );
      });
    },
  },
  app: {
    title: "One app of Hono with 3,000 methods",
    text: "The services are combined with `route`, and the program makes one call.",
    measure() {
      const workspace = prepare(3_000);
      const program = writeOneApp(workspace.contract);
      return [measure(hono.name, write(workspace, hono, "app", program))];
    },
  },
  field: {
    title: "A misspelled field",
    text: "The argument of a call has all required fields, and a field that the method does not have. A compiler that finds the mistake reports an error.",
    measure() {
      const workspace = prepare(100);
      const [place] = placesIn(workspace);
      return subjects.map((subject, index) => {
        const program = writeCalls(workspace, subject, [place], misspelled);
        return measure(
          subject.name,
          write(workspace, subject, `field${index}`, program),
        );
      });
    },
  },
};

const unknown = named.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`there is no part ${unknown}`);

/** Returns the rows that the report already has. */
function rowsIn(title) {
  const text = existsSync(page) ? readFileSync(page, "utf8") : "";
  const [, part = ""] = text.split(`## ${title}\n`);
  const [table = ""] = part.split("\n## ");
  return table.split("\n").filter((line) => /^\| (?!\||---)/u.test(line));
}

const sections = Object.entries(parts).map(([name, part]) => {
  const { measure, text, title } = part;
  const isAsked = named.length === 0 || named.includes(name);
  const rows = isAsked ? measure() : rowsIn(title);
  return `
## ${title}

${text}

| | CPU | memory | errors |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
});
writeFileSync(
  page,
  `# Limits of type checking

${describeMachine()} TypeScript ${versionOf("typescript-7")}. Each program was checked once, on a machine that did other
work, so only large differences mean something. [The other report](typecheck.md) measures small
programs in many rounds. \`node bench/typecheck/limits.js\` repeats this one.
${sections.join("")}`,
);
