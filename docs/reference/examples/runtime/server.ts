// Contains the options and types of servers, and functions for several servers. In addition to handlers and verifiers, generated functions such as `createShopServer` take these options.
import {
  changeRequest,
  composeServers,
  createKey,
  type RpcServer,
} from "@ridlkit/runtime/server";
import { createShopServer } from "../generated/server.js";
import { required } from "../shop.js";

const customerKey = createKey<string>("customer");

const shop = createShopServer<{ readonly startedAt: number }>({
  ...required,
  createState: ({ method }) => ({ startedAt: method.length + Date.now() }),
  verifyApiKey: (key, context) => {
    context.set(customerKey, key);
    return key === "secret";
  },
  interceptors: [(next) => (call) => next(call)],
  observe: (request) => (outcome) =>
    console.log(request.target, outcome.status),
  onError: (error, { service, method }) =>
    console.error(service, method, error),
  readsByGet: true,
  cacheControl: "private, max-age=60",
  validateResponses: "log",
  cors: {
    origins: ["https://shop.example"],
    headers: ["traceparent"],
    exposedHeaders: ["X-Trace"],
    credentials: true,
    maxAgeSeconds: 600,
  },
  maxBodyBytes: 16 * 1024,
  maxUploadBytes: 8 * 1024 * 1024,
  maxDepth: 20,
  timeoutMs: 5000,
  keepAliveMs: 15_000,
  bodyTimeoutMs: 5000,
  minBodyRate: 1000,
  sendTimeoutMs: 60_000,
  minSendRate: 1000,
  maxConcurrent: 200,
  maxConcurrentPerTenant: 20,
  maxBodiesPerTenant: 500,
  maxQueued: 1000,
  queueMs: 500,
  onQueue: (change) => console.log(change),
  tenant: ({ header }, { address }) => header("x-real-ip") ?? address ?? null,
  caller: ({ get }) => get(customerKey) ?? null,
  methods: { "Shop/Order": { timeoutMs: 20_000, maxConcurrent: 10 } },
});

// The first server with a matching path responds.
export const all = composeServers(shop);

// Serves the same methods below `/v1`.
export const handle: RpcServer["handle"] = (request) =>
  all.handle(
    changeRequest(request, { target: request.target.replace(/^\/v1/, "") }),
  );
