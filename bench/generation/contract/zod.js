/**
 * Writes one service's enums and structs as zod schemas, as users of routers
 * write them. Returns the text of a module that exports a schema for each
 * struct.
 */
export function writeZod({ enums, structs }) {
  return `import { z } from "zod";

const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

${enums.map(writeEnum).join("")}
${structs.map(writeStruct).join("\n")}`;
}

function writeEnum({ name, members }) {
  return `const ${name} = z.enum(${JSON.stringify(members)});\n`;
}

function writeStruct({ name, fields }) {
  const lines = fields.map(
    ({ name: key, isOptional, type, limits }) =>
      `  ${key}: ${writeType(type, limits)}${isOptional ? ".optional()" : ""},\n`,
  );
  return `export const ${name} = z.object({\n${lines.join("")}});\n`;
}

const checks = {
  minLength: "min",
  maxLength: "max",
  minimum: "min",
  maximum: "max",
  maxItems: "max",
};

function writeType(type, limits = {}) {
  const chain = Object.entries(limits)
    .filter(([key]) => Object.hasOwn(checks, key))
    .map(([key, value]) => `.${checks[key]}(${value})`)
    .join("");
  return `${writeKind(type)}${chain}`;
}

function writeKind(type) {
  switch (type.kind) {
    case "address":
      return "Address";
    case "list":
      return `z.array(${writeType(type.element)})`;
    case "map":
      return `z.record(z.string(), ${writeType(type.value)})`;
    case "enum":
    case "struct":
      return type.name;
    case "uint32":
      return "z.int().min(0)";
    case "float64":
      return "z.number()";
    case "timestamp":
      return "z.iso.datetime()";
    default:
      return `z.${type.kind}()`;
  }
}
