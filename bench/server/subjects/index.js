import { versionOf } from "../../harness/machine.js";

/** Name of the subject that capacities are relative to. */
export const baseline = "node:http";
/** Names of our subjects. */
export const ownSubject = "ridlkit, native adapter";
export const ownFetchSubject = "ridlkit, fetch on its own host";
/** The peer that our server must beat. */
export const rival = "Fastify";

const rpcPaths = {
  GetOrders: "/rpc/Market/GetOrders",
  GetPrice: "/rpc/Market/GetPrice",
};
const shortPaths = { GetOrders: "/GetOrders", GetPrice: "/GetPrice" };
const same = (value) => value;

/**
 * The measured servers. Each `module` in this folder exports `listen()`, which
 * starts a server and returns its port.
 * - `features`: what it does besides responding;
 * - `wrap`, `unwrap`: convert between a message and its wire form.
 */
export const subjects = [
  {
    name: ownSubject,
    module: "ridlkit-native.js",
    features: "credentials, requests and responses validated, limits, errors",
    paths: rpcPaths,
  },
  {
    name: ownFetchSubject,
    module: "ridlkit-fetch.js",
    features: "the same, through `server.fetch` on `toNodeListener`",
    paths: rpcPaths,
  },
  {
    name: "ridlkit, fetch on @hono/node-server",
    module: "ridlkit-hono.js",
    features: "the same, through `server.fetch` on another host",
    packages: ["@hono/node-server"],
    paths: rpcPaths,
  },
  {
    name: baseline,
    module: "node-http.js",
    features: "only JSON; reads with `for await`",
    paths: shortPaths,
  },
  {
    name: "node:http, data events",
    module: "node-http-events.js",
    features: "only JSON; reads with `data` events",
    paths: shortPaths,
  },
  {
    name: rival,
    module: "fastify.js",
    features: "credentials, requests validated, responses serialized by schema",
    packages: ["fastify"],
    paths: shortPaths,
  },
  {
    name: "Hono + zod",
    module: "hono.js",
    features: "credentials, requests validated",
    packages: ["hono", "@hono/node-server", "zod"],
    paths: shortPaths,
  },
  {
    name: "Express + zod",
    module: "express.js",
    features: "credentials, requests validated",
    packages: ["express", "zod"],
    paths: shortPaths,
  },
  {
    name: "tRPC + zod",
    module: "trpc.js",
    features: "credentials, requests and responses validated",
    packages: ["@trpc/server", "zod"],
    paths: shortPaths,
    unwrap: ({ result }) => result.data,
  },
  {
    name: "oRPC + zod",
    module: "orpc.js",
    features: "credentials, requests and responses validated",
    packages: ["@orpc/server", "zod"],
    paths: shortPaths,
    wrap: (message) => ({ json: message }),
    unwrap: ({ json }) => json,
  },
  {
    name: "Connect, JSON",
    module: "connect.js",
    features: "credentials, messages parsed by schema",
    packages: ["@connectrpc/connect", "@connectrpc/connect-node"],
    paths: {
      GetOrders: "/orders.v1.Market/GetOrders",
      GetPrice: "/orders.v1.Market/GetPrice",
    },
    isDeepEqual: true,
  },
].map((subject) => ({
  wrap: same,
  unwrap: same,
  packages: [],
  isDeepEqual: false,
  ...subject,
  version: (subject.packages ?? []).map(versionOf).join(", "),
}));
