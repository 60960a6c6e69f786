/**
 * Writes the contract in RIDL: `common.ridl` with the shared declarations, and
 * one document per service. Returns the text of each file by its name.
 */
export function writeRidl(contract) {
  const documents = contract.services.map((service) => [
    `${service.name.toLowerCase()}.ridl`,
    writeService(service),
  ]);
  return new Map([["common.ridl", common], ...documents]);
}

const common = `webrpc = v1
name = common
version = v1.0.0

# The key of a project.
type AccessKey: string
  + header = X-Access-Key
  + error = AccessKeyNotFound

# An account or contract.
type Address: string
  + pattern = "^0x[0-9a-fA-F]{40}$"
  + title = "an address"

# Nobody has this access key.
error 1101 AccessKeyNotFound "Access key not found" HTTP 401

# A field is missing or malformed.
error 2000 InvalidArgument "Invalid argument" HTTP 400

# There is no such thing.
error 3000 NotFound "Not found" HTTP 404
`;

function writeService({ name, docs, enums, structs, methods }) {
  return `webrpc = v1
name = ${name.toLowerCase()}
version = v1.0.0
basepath = /rpc

import "common.ridl"

${enums.map(writeEnum).join("\n")}
${structs.map(writeStruct).join("\n")}
# ${docs}
service ${name}
${methods.map(writeMethod).join("\n")}`;
}

function writeEnum({ name, docs, members }) {
  const lines = members.map((member) => `  - ${member}\n`);
  return `# ${docs}\nenum ${name}: string\n${lines.join("")}`;
}

function writeStruct({ name, docs, fields }) {
  return `# ${docs}\nstruct ${name}\n${fields.map(writeField).join("")}`;
}

function writeField({ name, docs, isOptional, type, limits }) {
  const mark = isOptional ? "?" : "";
  const lines = Object.entries(limits).map(
    ([key, value]) => `    + ${key} = ${value}\n`,
  );
  return `  # ${docs}\n  - ${name}${mark}: ${writeType(type)}\n${lines.join("")}`;
}

function writeType(type) {
  switch (type.kind) {
    case "address":
      return "Address";
    case "boolean":
      return "bool";
    case "list":
      return `[]${writeType(type.element)}`;
    case "map":
      return `map<string,${writeType(type.value)}>`;
    case "enum":
    case "struct":
      return type.name;
    default:
      return type.kind;
  }
}

function writeMethod({ name, docs, request, response }) {
  return `  # ${docs}
  @auth:"X-Access-Key"
  - ${name}(${request}) => (${response}) errors AccessKeyNotFound | InvalidArgument | NotFound
`;
}
