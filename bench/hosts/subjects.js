import { versionOf } from "../harness/machine.js";
import { hosts, onHonoServer, onNodeListener } from "./hosts.js";

const rpc = (name) => `/rpc/Market/${name}`;
const ownPaths = {
  GetOrders: rpc("GetOrders"),
  GetPrice: rpc("GetPrice"),
  List: "/items",
  Put: "/content",
  Follow: "/rpc/Transfers/Follow",
};
const shortPaths = {
  GetOrders: "/GetOrders",
  GetPrice: "/GetPrice",
  List: "/items",
  Put: "/content",
  Follow: "/Follow",
};
const messages = ({ GetOrders, GetPrice }) => ({ GetOrders, GetPrice });
const withoutTransfers = ({ List, ...paths }) => ({
  ...messages(paths),
  List,
});
/** Tells clients that the stream has begun. */
const opening = "\n";
const same = (value) => value;

/** Source text that defines `fetch` of a module in `subjects/`. */
const use = (module, checksResponses = true) => `
  import { create } from "./subjects/${module}.js";
  const fetch = create({ checksResponses: ${checksResponses} });`;

const hono = `Hono ${versionOf("hono")} + zod`;
const elysia = `Elysia ${versionOf("elysia")}`;
const orpc = `oRPC ${versionOf("@orpc/server")} + zod`;

/** The names that goals refer to. */
export const names = {
  own: "ridlkit",
  ownRequests: "ridlkit, requests alone",
  belowHono: "ridlkit below Hono",
  bare: "bare `fetch`",
  hono,
  honoRequests: `${hono}, requests alone`,
  elysia,
  nodeHttp: "node:http",
  listener: "ridlkit on toNodeListener",
  honoServer: "ridlkit on @hono/node-server",
  honoApp: "ridlkit below Hono on @hono/node-server",
  honoAppListener: "ridlkit below Hono on toNodeListener",
  honoOnNode: `${hono} on @hono/node-server`,
};

const onFetch = ({ serve }) => [
  { name: names.bare, source: use("bare") + serve, paths: shortPaths },
  {
    name: names.own,
    source: use("ridlkit") + serve,
    paths: ownPaths,
    opening,
  },
  {
    name: names.ownRequests,
    source: use("ridlkit", false) + serve,
    paths: withoutTransfers(ownPaths),
  },
  {
    name: names.belowHono,
    source: use("ridlkit-hono") + serve,
    paths: withoutTransfers(ownPaths),
  },
  { name: hono, source: use("hono") + serve, paths: shortPaths },
  {
    name: names.honoRequests,
    source: use("hono", false) + serve,
    paths: withoutTransfers(shortPaths),
  },
  {
    name: orpc,
    source: use("orpc") + serve,
    paths: messages(shortPaths),
    wrap: (message) => ({ json: message }),
    unwrap: ({ json }) => json,
  },
];

/** Elysia compiles code, which Workers do not allow. */
const onElysia = (serve, serveElysia = use("elysia") + serve) => [
  {
    name: "ridlkit below Elysia",
    source: use("ridlkit-elysia") + serve,
    paths: withoutTransfers(ownPaths),
  },
  { name: elysia, source: serveElysia, paths: withoutTransfers(shortPaths) },
];

const elysiaOnBun = `
  import { createApp } from "./subjects/elysia.js";
  createApp({ checksResponses: true })
    .listen({ port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(port));`;

/**
 * The measured programs of each host. The first is what capacities are relative
 * to.
 * - `source`: the text of the program;
 * - `paths`: the paths of the methods that it has;
 * - `wrap`, `unwrap`: convert between a message and its wire form;
 * - `opening`: the text before the items of a stream.
 */
export const programs = [
  {
    host: hosts.node,
    subjects: [
      {
        name: names.nodeHttp,
        source: `
          import { listen } from "../server/subjects/node-http.js";
          console.log(await listen());`,
        paths: messages(shortPaths),
      },
      {
        name: names.listener,
        source: use("ridlkit") + onNodeListener,
        paths: ownPaths,
        opening,
      },
      {
        name: names.honoAppListener,
        source: use("ridlkit-hono") + onNodeListener,
        paths: withoutTransfers(ownPaths),
      },
      {
        name: names.honoServer,
        source: use("ridlkit") + onHonoServer,
        paths: ownPaths,
        opening,
      },
      {
        name: names.honoApp,
        source: use("ridlkit-hono") + onHonoServer,
        paths: withoutTransfers(ownPaths),
      },
      {
        name: names.honoOnNode,
        source: use("hono") + onHonoServer,
        paths: shortPaths,
      },
    ],
  },
  {
    host: hosts.bun,
    subjects: [
      ...onFetch(hosts.bun),
      ...onElysia(hosts.bun.serve, elysiaOnBun),
    ],
  },
  {
    host: hosts.deno,
    subjects: [...onFetch(hosts.deno), ...onElysia(hosts.deno.serve)],
  },
  { host: hosts.workerd, subjects: onFetch(hosts.workerd) },
].map(({ host, subjects }) => ({
  host,
  subjects: subjects.map((subject) => ({
    wrap: same,
    unwrap: same,
    opening: "",
    ...subject,
  })),
}));
