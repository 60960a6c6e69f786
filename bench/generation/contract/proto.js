/**
 * Writes the contract in Protocol Buffers, which have no constraints and no
 * lists of lists. Inner lists become messages that contain a list. Returns the
 * text of each file by its name. There is one file per service, with the
 * package that buf requires.
 */
export function writeProto(contract) {
  return new Map(
    contract.services.map((service) => [
      `bench/${service.name.toLowerCase()}/v1/${service.name.toLowerCase()}.proto`,
      writeFile(service),
    ]),
  );
}

function writeFile({ name, docs, enums, structs, methods }) {
  const rpcs = methods.map(
    (method) =>
      `  // ${method.docs}\n  rpc ${method.name}(${method.request}) returns (${method.response});\n`,
  );
  return `syntax = "proto3";

package bench.${name.toLowerCase()}.v1;

${enums.map(writeEnum).join("\n")}
${structs.map(writeMessage).join("\n")}
${[...rowMessages].join("\n")}
// ${docs}
service ${name} {
${rpcs.join("")}}
`;
}

const rowTypes = {
  string: "string",
  address: "string",
  boolean: "bool",
  uint32: "uint32",
  float64: "double",
  timestamp: "string",
};

const rowMessages = Object.entries(rowTypes).map(
  ([kind, type]) =>
    `message ${rowName(kind)} {\n  repeated ${type} values = 1;\n}\n`,
);

function rowName(kind) {
  return `Row${kind[0].toUpperCase()}${kind.slice(1)}`;
}

function writeEnum({ name, docs, members }) {
  const prefix = name.toUpperCase();
  const lines = members.map(
    (member, index) => `  ${prefix}_${member.toUpperCase()} = ${index};\n`,
  );
  return `// ${docs}\nenum ${name} {\n${lines.join("")}}\n`;
}

function writeMessage({ name, docs, fields }) {
  const lines = fields.map(
    (field, index) =>
      `  // ${field.docs}\n  ${labelOf(field)}${writeType(field.type)} ${field.name} = ${index + 1};\n`,
  );
  return `// ${docs}\nmessage ${name} {\n${lines.join("")}}\n`;
}

function labelOf({ isOptional, type }) {
  return isOptional && type.kind !== "list" && type.kind !== "map"
    ? "optional "
    : "";
}

function writeType(type) {
  switch (type.kind) {
    case "enum":
    case "struct":
      return type.name;
    case "list":
      return type.element.kind === "list"
        ? `repeated ${rowName(type.element.element.kind)}`
        : `repeated ${writeType(type.element)}`;
    case "map":
      return `map<string, ${writeType(type.value)}>`;
    default:
      return rowTypes[type.kind];
  }
}
