import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../harness/run-process.js";

/** The path of each compiler. */
export const compilers = Object.fromEntries(
  [
    ["5.9", "typescript"],
    ["7", "typescript-7"],
  ].map(([version, name]) => [
    version,
    fileURLToPath(new URL(`../node_modules/${name}/bin/tsc`, import.meta.url)),
  ]),
);

/**
 * Writes what a user of a subject type-checks: the files that the user writes,
 * and a program that makes three calls.
 *
 * Input: the workspace with the output of generators, a subject, and the name of
 * the new folder.
 * Returns the folder, and the field of a response that the program reads first.
 */
export function writeProject({ folder: workspace, contract }, subject, name) {
  const folder = join(workspace, name);
  const places = choosePlaces(contract, subject.services);
  const used = [...new Set(places.map(({ service }) => service))];
  const files = [
    ...subject.files(contract),
    ["main.ts", writeProgram(subject, contract, places, used)],
    ["tsconfig.json", JSON.stringify({ compilerOptions, include: ["*.ts"] })],
  ];
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { folder, field: places[0].field };
}

const compilerOptions = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

/**
 * Returns the first method, one in the middle, and the last, with a required
 * field of each response.
 */
function choosePlaces({ services }, count = services.length) {
  const all = services.slice(0, count).flatMap((service) =>
    service.methods.map((method) => {
      const { fields } = service.structs.find(
        ({ name }) => name === method.response,
      );
      const field = fields.find(({ isOptional }) => !isOptional)?.name;
      return { service: service.name, method, field };
    }),
  );
  const readable = all.filter(({ field }) => field !== undefined);
  const middle = Math.floor(readable.length / 2);
  return [readable[0], readable[middle], readable.at(-1)];
}

function writeProgram(subject, contract, places, used) {
  const functions = places.map((place, index) => {
    const callee = subject.method(place);
    const input = subject.input?.(callee) ?? `Parameters<typeof ${callee}>[0]`;
    const call =
      subject.call?.(callee) ?? `const response = await ${callee}(input);`;
    return `
export async function call${index}(input: ${input}) {
  ${call}
  return response.${place.field};
}
`;
  });
  return `${subject.client(contract, used)}\n${functions.join("")}`;
}

/**
 * Checks a project.
 *
 * Returns the CPU time and wall-clock time in seconds, the memory in MB, and how
 * many types were created and instantiated. Errors: throws if the compiler finds
 * an error.
 */
export function check(folder, compiler) {
  const command = [
    process.execPath,
    compilers[compiler],
    "--extendedDiagnostics",
  ];
  const { cpu, wall, stdout } = runProcess(command, folder);
  const read = (name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, "mu").exec(stdout)[1]);
  return {
    cpu,
    wall,
    memory: read("Memory used") / 1024,
    types: read("Types"),
    instantiations: read("Instantiations"),
  };
}
