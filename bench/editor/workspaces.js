import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  createContract,
  methodsPerService,
} from "../generation/contract/model.js";
import { writeProto } from "../generation/contract/proto.js";
import { writeRidl } from "../generation/contract/ridl.js";

const work = fileURLToPath(new URL("../.work/editor", import.meta.url));

/**
 * Writes the contract of the generation benchmark in RIDL and Protocol Buffers.
 */
export function writeMethods(count) {
  const contract = createContract(count);
  const folder = writeFolder("methods", {
    ...prefixed("schema/", writeRidl(contract)),
    ...prefixed("proto/", writeProto(contract)),
  });
  const documents = Math.ceil(count / methodsPerService);
  return {
    folder,
    name: `${count.toLocaleString("en-US")} methods in ${documents} documents`,
    ridl: "schema/service0.ridl",
    proto: "proto/bench/service0/v1/service0.proto",
  };
}

/** Writes one document with about this many lines. */
export function writeLarge(lines) {
  // Each type has a comment, a head, eight fields and a blank line. Protocol
  // Buffers also have a closing brace.
  const count = Math.round(lines / 11);
  const all = (write) =>
    Array.from({ length: count }, (_, index) => write(index)).join("\n");
  const before = (index) => `Part${Math.max(0, index - 1)}`;
  return {
    ...writeOne(
      "large",
      all((index) => {
        const fields = range(7).map((each) => `  - field${each}: string\n`);
        return `# Part ${index}.\nstruct Part${index}\n${fields.join("")}  - before?: ${before(index)}\n`;
      }),
      all((index) => {
        const fields = range(7).map(
          (each) => `  string field${each} = ${each + 1};\n`,
        );
        return `// Part ${index}.\nmessage Part${index} {\n${fields.join("")}  ${before(index)} before = 8;\n}\n`;
      }),
    ),
    name: `one document of ${lines.toLocaleString("en-US")} lines`,
  };
}

/** Writes a type that is used this many times. */
export function writeUses(uses) {
  const count = Math.ceil(uses / 8);
  const all = (write) =>
    Array.from({ length: count }, (_, index) => write(index)).join("\n");
  return {
    ...writeOne(
      "uses",
      `struct Hub\n  - id: string\n\n${all(
        (index) =>
          `struct User${index}\n${range(8)
            .map((each) => `  - hub${each}: Hub\n`)
            .join("")}`,
      )}`,
      `message Hub {\n  string id = 1;\n}\n\n${all(
        (index) =>
          `message User${index} {\n${range(8)
            .map((each) => `  Hub hub${each} = ${each + 1};\n`)
            .join("")}}\n`,
      )}`,
    ),
    name: `a type used ${uses.toLocaleString("en-US")} times`,
  };
}

function writeOne(name, ridl, proto) {
  const head = `webrpc = v1\nname = ${name}\nversion = v1.0.0\n\n`;
  const package_ = `syntax = "proto3";\n\npackage bench.${name}.v1;\n\n`;
  const paths = {
    ridl: `schema/${name}.ridl`,
    proto: `proto/bench/${name}/v1/${name}.proto`,
  };
  const folder = writeFolder(name, {
    [paths.ridl]: head + ridl,
    [paths.proto]: package_ + proto,
  });
  return { folder, ...paths };
}

function writeFolder(name, files) {
  const folder = join(work, name);
  rmSync(folder, { recursive: true, force: true });
  const all = {
    ...files,
    "ridl.config.yaml": "schema:\n  - schema/*.ridl\n",
    "buf.yaml": "version: v2\nmodules:\n  - path: proto\n",
  };
  for (const [path, text] of Object.entries(all)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}

function prefixed(prefix, files) {
  return Object.fromEntries(
    [...files].map(([path, text]) => [prefix + path, text]),
  );
}

function range(count) {
  return Array.from({ length: count }, (_, index) => index);
}
