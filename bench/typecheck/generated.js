import { javascriptOutput } from "../generation/workspace.js";
import { versionOf } from "../harness/machine.js";
import { lower } from "./names.js";

const output = "ridlkit";

/** ridlkit's output, as its users import it. */
export const own = {
  client: ridlkit("client", output),
  both: ridlkit("client and server", output, true),
  javascript: ridlkit("client and server, JavaScript", javascriptOutput, true),
  service: {
    ...ridlkit("client of one service", output),
    client: ({ services: [{ name }] }) =>
      `import { create${name}Client } from "../${output}/${lower(name)}/index.js";
const client = {
  ${lower(name)}: create${name}Client({ baseUrl: "https://api.example.com" }),
};`,
    services: 1,
  },
};

/** Clients that other generators wrote. */
export const generated = [
  {
    name: `openapi-fetch ${versionOf("openapi-fetch")}`,
    tool: "openapi-typescript",
    files: () => [],
    client: () => `import createClient from "openapi-fetch";
import type { paths } from "../openapi-typescript/api.js";
const client = createClient<paths>({ baseUrl: "https://api.example.com" });`,
    method: ({ service, method }) => `/rpc/${service}/${method.name}`,
    input: (path) =>
      `paths["${path}"]["post"]["requestBody"]["content"]["application/json"]`,
    call: (path) => unwrap(`client.POST("${path}", { body: input })`),
  },
  {
    name: `hey-api ${versionOf("@hey-api/openapi-ts")}`,
    tool: "@hey-api/openapi-ts",
    files: () => [],
    client: () => 'import * as client from "../hey-api/index.js";',
    method: ({ method }) => `client.${lower(method.name)}`,
    input: (callee) => `Parameters<typeof ${callee}>[0]["body"]`,
    call: (callee) => unwrap(`${callee}({ body: input })`),
  },
  {
    name: `Connect ${versionOf("@connectrpc/connect")}`,
    tool: "protoc-gen-es (buf)",
    files: () => [],
    client: (_, used) => `import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
${used.map((name) => `import { ${name} } from "../protobuf-es/bench/${lower(name)}/v1/${lower(name)}_pb.js";\n`).join("")}
const transport = createConnectTransport({ baseUrl: "https://api.example.com" });
const client = {
${used.map((name) => `  ${lower(name)}: createClient(${name}, transport),\n`).join("")}};`,
    method: ({ service, method }) =>
      `client.${lower(service)}.${lower(method.name)}`,
  },
];

/** Returns statements that throw unless a call has data. */
function unwrap(call) {
  return `const { data: response, error } = await ${call};
  if (response === undefined) throw error;`;
}

function ridlkit(what, folder, hasServer = false) {
  return {
    name: `ridlkit, ${what}`,
    tool: "ridlkit",
    files: ({ services }) =>
      hasServer ? services.map((service) => writeServer(service, folder)) : [],
    client: ({ services }) =>
      `import { createPlatformClient } from "../${folder}/index.js";
const client = createPlatformClient({
  hosts: {
${services.map(({ name }) => `    ${lower(name)}: "https://api.example.com",\n`).join("")}  },
});`,
    method: ({ service, method }) =>
      `client.${lower(service)}.${lower(method.name)}`,
  };
}

function writeServer({ name, methods }, folder) {
  const handlers = methods.map(
    (method) =>
      `  ${lower(method.name)}: () => { throw new Error("none"); },\n`,
  );
  return [
    `${lower(name)}.ts`,
    `import { type ${name}Handler, create${name}Server } from "../${folder}/${lower(name)}/server.js";

const handler: ${name}Handler = {
${handlers.join("")}};
export const ${lower(name)} = create${name}Server({
  handlers: { ${lower(name)}: handler },
  verifyAccessKey: () => true,
});
`,
  ];
}
