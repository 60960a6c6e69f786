/** Writes the contract in TypeSpec. Returns the text of `main.tsp`. */
export function writeTypeSpec(contract) {
  return `import "@typespec/http";
import "@typespec/openapi3";

using TypeSpec.Http;

@service(#{ title: "synthetic" })
namespace Synthetic;

/** An account or contract. */
@pattern("^0x[0-9a-fA-F]{40}$")
scalar Address extends string;

/** The body of every error. */
@error
model Envelope {
  error: string;
  code: int32;
  msg: string;
  status: int32;
  cause?: string;
}

${contract.services.map(writeService).join("\n")}`;
}

function writeService({ name, docs, enums, structs, methods }) {
  return `${enums.map(writeEnum).join("\n")}
${structs.map(writeModel).join("\n")}
/** ${docs} */
@route("/rpc/${name}")
@useAuth(ApiKeyAuth<ApiKeyLocation.header, "X-Access-Key">)
interface ${name} {
${methods.map((method) => writeOperation(method)).join("\n")}}
`;
}

function writeEnum({ name, docs, members }) {
  return `/** ${docs} */\nenum ${name} {\n${members.map((member) => `  \`${member}\`,\n`).join("")}}\n`;
}

function writeModel({ name, docs, fields }) {
  return `/** ${docs} */\nmodel ${name} {\n${fields.map(writeField).join("")}}\n`;
}

const decorators = {
  minimum: "minValue",
  maximum: "maxValue",
  minLength: "minLength",
  maxLength: "maxLength",
  minItems: "minItems",
  maxItems: "maxItems",
};

function writeField({ name, docs, isOptional, type, limits }) {
  const lines = Object.entries(limits)
    .filter(([key]) => key in decorators)
    .map(([key, value]) => `  @${decorators[key]}(${value})\n`);
  return `  /** ${docs} */\n${lines.join("")}  ${name}${isOptional ? "?" : ""}: ${writeType(type)};\n`;
}

function writeType(type) {
  switch (type.kind) {
    case "address":
      return "Address";
    case "timestamp":
      return "utcDateTime";
    case "enum":
    case "struct":
      return type.name;
    case "list":
      return `${writeType(type.element)}[]`;
    case "map":
      return `Record<${writeType(type.value)}>`;
    default:
      return type.kind;
  }
}

function writeOperation({ name, docs, request, response }) {
  return `  /** ${docs} */
  @post
  @route("/${name}")
  ${name}(@body body: ${request}): ${response} | Envelope;
`;
}
