import { fileURLToPath } from "node:url";
import { versionOf } from "../harness/machine.js";
import { pathOf, response } from "./contract.js";

/** Prints a property for each method, e.g. `getThing0: (request) => …`. */
const table = (names, call) =>
  `({ ${names.map((name) => `${name}: (request) => ${call(name)}`).join(",\n")} })`;

const key = '"x-access-key": "key"';
const origin = '"https://api.example.com"';

const installed = (name) =>
  fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));

export const ownSubject = "ridlkit";
export const bare = "bare fetch";

/**
 * Clients with the same methods. Each has
 * - `name`, `version`;
 * - `source(names)`: a module whose default export creates a client, an object
 *   of functions by method;
 * - `answer`: the server's response in its protocol;
 * - `alias`: packages that replace others in its bundle.
 */
export const subjects = [
  {
    name: bare,
    version: "",
    source: (names) => `
      const post = async (path, request) => {
        const response = await fetch(${origin} + path, {
          method: "POST",
          headers: { "content-type": "application/json", ${key} },
          body: JSON.stringify(request),
        });
        if (!response.ok) throw new Error(await response.text());
        return JSON.parse(await response.text());
      };
      export default () => ${table(names, (name) => `post("${pathOf(name)}", request)`)};`,
  },
  {
    name: ownSubject,
    version: "here",
    // A single method is called without a client, as in `docs/client.md`.
    source: (names) =>
      names.length === 1
        ? `
      import { call } from "@ridlkit/runtime/client";
      import { thingsGetThing0 } from "./ridlkit/index.js";
      const options = { baseUrl: ${origin}, credentials: { accessKey: "key" } };
      export default () => ({
        getThing0: (request) => call(options, thingsGetThing0, request),
      });`
        : `
      import { createThingsClient } from "./ridlkit/index.js";
      const options = { baseUrl: ${origin}, credentials: { accessKey: "key" } };
      export default () => createThingsClient(options);`,
  },
  {
    name: "Hono hc",
    version: versionOf("hono"),
    source: (names) => `
      import { hc } from "hono/client";
      const client = hc(${origin}, { headers: { ${key} } });
      const read = async (answer) => {
        const response = await answer;
        if (!response.ok) throw new Error(await response.text());
        return response.json();
      };
      export default () => ${table(names, (name) => `read(client${pathOf(name).replaceAll("/", ".")}.$post({ json: request }))`)};`,
  },
  {
    name: "openapi-fetch",
    version: versionOf("openapi-fetch"),
    source: (names) => `
      import createClient from "openapi-fetch";
      const client = createClient({ baseUrl: ${origin}, headers: { ${key} } });
      const read = async (answer) => {
        const { data, error } = await answer;
        if (error) throw error;
        return data;
      };
      export default () => ${table(names, (name) => `read(client.POST("${pathOf(name)}", { body: request }))`)};`,
  },
  {
    name: "hey-api sdk",
    version: versionOf("@hey-api/openapi-ts"),
    source: (names) => `
      import { client } from "./hey-api/client.gen.ts";
      import { ${names.join()} } from "./hey-api/sdk.gen.ts";
      client.setConfig({ baseUrl: ${origin}, auth: () => "key" });
      const read = async (answer) => (await answer).data;
      export default () => ${table(names, (name) => `read(${name}({ body: request, throwOnError: true }))`)};`,
  },
  {
    name: "ky",
    version: versionOf("ky"),
    source: (names) => `
      import ky from "ky";
      const client = ky.create({ prefixUrl: ${origin}, headers: { ${key} } });
      export default () => ${table(names, (name) => `client.post("${pathOf(name).slice(1)}", { json: request }).json()`)};`,
  },
  {
    name: "tRPC",
    version: versionOf("@trpc/client"),
    answer: { result: { data: response } },
    source: (names) => `
      import { createTRPCClient, httpLink } from "@trpc/client";
      const client = createTRPCClient({
        links: [httpLink({ url: ${origin}, headers: { ${key} } })],
      });
      export default () => ${table(names, (name) => `client.${name}.mutate(request)`)};`,
  },
  {
    name: "oRPC",
    version: versionOf("@orpc/client"),
    answer: { json: response },
    source: (names) => `
      import { createORPCClient } from "@orpc/client";
      import { RPCLink } from "@orpc/client/fetch";
      const client = createORPCClient(
        new RPCLink({ url: ${origin}, headers: { ${key} } }),
      );
      export default () => ${table(names, (name) => `client.${name}(request)`)};`,
  },
  {
    name: "ts-rest",
    version: versionOf("@ts-rest/core"),
    // The client includes zod 3.
    alias: { zod: installed("zod-3") },
    source: (names) => `
      import { initClient, initContract } from "@ts-rest/core";
      const contract = initContract().router({
        ${names.map((name) => `${name}: { method: "POST", path: "${pathOf(name)}", body: null, responses: { 200: null } }`).join(",\n")}
      });
      const client = initClient(contract, {
        baseUrl: ${origin},
        baseHeaders: { ${key} },
      });
      const read = async (answer) => (await answer).body;
      export default () => ${table(names, (name) => `read(client.${name}({ body: request }))`)};`,
  },
  {
    name: "axios",
    version: versionOf("axios"),
    source: (names) => `
      import axios from "axios";
      const client = axios.create({
        baseURL: ${origin},
        adapter: "fetch",
        headers: { ${key} },
      });
      const read = async (answer) => (await answer).data;
      export default () => ${table(names, (name) => `read(client.post("${pathOf(name)}", request))`)};`,
  },
  {
    name: "connect-web",
    version: versionOf("@connectrpc/connect-web"),
    source: (names) => `
      import { createClient } from "@connectrpc/connect";
      import { createConnectTransport } from "@connectrpc/connect-web";
      import { Things } from "./connect/things_pb.js";
      const client = createClient(
        Things,
        createConnectTransport({ baseUrl: ${origin}, useBinaryFormat: false }),
      );
      const headers = { ${key} };
      export default () => ${table(names, (name) => `client.${name}(request, { headers })`)};`,
  },
];
