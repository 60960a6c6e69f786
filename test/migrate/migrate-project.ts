import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { installedPackage } from "../support/installed-package.js";

/** A contract as `ridl import openapi` writes it, with a path in its server. */
export const contract = `webrpc = v1
name = shop
version = v1.0.0

error 1404 NotFound "no such order" HTTP 404

struct Order
  - id: int32
  - title: string

struct Problem
  - message: string
    + error = message

type ErrorBody: Problem
  + errorBody = application/json

service Orders
  @get:"/v2/orders?limit&sort-by={sortBy}" @body:orders
  - ListOrders(limit?: int32, sortBy?: string) => (orders: []Order)
  @http:"POST /v2/orders 201" @requestBody:newOrder
  - CreateOrder(newOrder: map<string,string>) => (id: int32)
  @get:"/v2/orders/{orderId}" @body:order
  - GetOrder(orderId: int32) => (order: Order) errors NotFound
  @http:"PUT /v2/orders/{orderId}" @requestHeaders:"If-Match={ifMatch}" @requestBody:order @body:order
  - PutOrder(orderId: int32, ifMatch?: string, order: Order) => (order: Order)
  @http:"POST /v2/orders/{orderId}/copies 200={order} 201={copy}"
  - CopyOrder(orderId: int32) => (order?: Order, copy?: Order)
  @http:"PUT /v2/orders/{orderId}/pin 200={order} 201={order}" @responseStatus:status
  - PinOrder(orderId: int32) => (status: uint16, order: Order)
  @http:"DELETE /v2/orders/{orderId} 204"
  - DeleteOrder(orderId: int32) => ()

service Books
  @get:"/v2/books/{id}?limit"
  - GetBook(id: int32, limit?: int32) => (title: string)
  @http:"POST /v2/books"
  - CreateBook(limit?: int32, title: string, author: map<string,string>) => (id: int32)
`;

/** The part of openapi-fetch's declarations that programs of tests use. */
const declarations = `
export interface Middleware {
  onRequest?(params: { request: Request }): unknown;
}
type Outcome = Promise<{ data?: any; error?: any; response: Response }>;
type Method = (path: string, init?: object) => Outcome;
export interface Client<Paths> {
  request(verb: string, path: string, init?: object): Outcome;
  GET: Method;
  PUT: Method;
  POST: Method;
  DELETE: Method;
  use(...middleware: Middleware[]): void;
  readonly paths?: Paths;
}
export default function createClient<Paths>(options?: object): Client<Paths>;
`;

/** The part of ts-rest's declarations that programs of tests use. */
const restDeclarations = `
type Fn<R> = (args?: any) => Promise<any>;
type Routes<T, O> = {
  [K in keyof T]: T[K] extends { readonly method: string; readonly path: infer P extends string }
    ? Omit<T[K], "path"> & O & { path: O extends { readonly pathPrefix: infer X extends string } ? \`\${X}\${P}\` : P }
    : Routes<T[K], O>;
};
type RecursiveProxyObj<T, A> = {
  [K in keyof T]: T[K] extends { readonly method: string } ? Fn<T[K]> : RecursiveProxyObj<T[K], A>;
};
export type InitClientReturn<T, A> = RecursiveProxyObj<T, A>;
export declare const initClient: <T, A>(router: T, args: A) => RecursiveProxyObj<T, A>;
export declare const initContract: () => {
  router: <const T, const O = {}>(routes: T, options?: O) => Routes<T, O>;
};
export type ApiFetcherArgs = { path: string; method: string; headers: Record<string, string>; route: object };
type Answer = { status: number; body: unknown; headers: Headers };
export declare const tsRestFetchApi: (args: ApiFetcherArgs) => Promise<Answer>;
`;

/** The part of tRPC's declarations that programs of tests use. */
const trpcDeclarations = `
declare const untyped: unique symbol;
type Options = { signal?: AbortSignal; context?: object };
type Call<P> = P extends { input: infer I; output: infer O } ? (input: I, opts?: Options) => Promise<O> : never;
type Subscribe<P> = P extends { input: infer I } ? (input: I, opts: { onData?: (item: any) => void }) => { unsubscribe(): void } : never;
type Decorated<P> = P extends { kind: "query" } ? { query: Call<P> } : P extends { kind: "mutation" } ? { mutate: Call<P> } : { subscribe: Subscribe<P> };
type DecoratedRecord<R> = { [K in keyof R]: R[K] extends { kind: string } ? Decorated<R[K]> : DecoratedRecord<R[K]> };
export type TRPCClient<R> = DecoratedRecord<R> & { [untyped]: R };
export declare class TRPCClientError extends Error { data?: any }
export declare function isTRPCClientError(error: unknown): error is TRPCClientError;
export declare function createTRPCClient<R>(options: { links: object[] }): TRPCClient<R>;
declare class UntypedClient { query(path: string, input?: unknown): Promise<unknown> }
export declare function getUntypedClient(client: object): UntypedClient;
export declare function safe<T>(call: Promise<T>): Promise<readonly [T, undefined] | readonly [undefined, Error]>;
type Headers = Record<string, string | string[] | undefined>;
type Link = { url: string; headers?: Headers | ((options: { op: object }) => Headers | Promise<Headers>); fetch?: (url: any, init?: any) => Promise<any>; maxURLLength?: number; transformer?: object };
export declare function httpBatchLink(options: Link): object;
export declare function httpLink(options: Link): object;
export declare function httpSubscriptionLink(options: Link): object;
export declare function loggerLink(options?: object): object;
export declare function splitLink(options: { condition: (op: { type: string }) => boolean; true: object; false: object }): object;
`;

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["es2020", "dom"],
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noUnusedLocals: true,
    jsx: "preserve",
    noEmit: true,
  },
  include: ["src", "test", "generated"],
};

const packages = {
  "@ridlkit/runtime": "runtime/typescript",
  typescript: installedPackage("typescript-5.9"),
};

/**
 * Creates a project that calls the shop with openapi-fetch.
 *
 * Input: its files, and packages that replace the default ones.
 */
export async function createMigrateProject(
  files: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
): Promise<Sandbox> {
  const sandbox = createSandbox({
    "shop.ridl": contract,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify(tsconfig),
    // The real declarations take longer to read than everything else.
    "node_modules/@types/node/index.d.ts":
      "declare const process: { env: Record<string, string | undefined> };",
    "node_modules/openapi-fetch/package.json":
      '{ "name": "openapi-fetch", "type": "module", "types": "index.d.ts" }',
    "node_modules/openapi-fetch/index.d.ts": declarations,
    "node_modules/@ts-rest/core/package.json":
      '{ "name": "@ts-rest/core", "type": "module", "types": "index.d.ts" }',
    "node_modules/@ts-rest/core/index.d.ts": restDeclarations,
    "node_modules/@ts-rest/react-query/package.json":
      '{ "name": "@ts-rest/react-query", "type": "module", "types": "index.d.ts" }',
    "node_modules/@ts-rest/react-query/index.d.ts":
      "export declare function initQueryClient(contract: object, options: object): { orders: { listOrders: { useQuery(key: string[]): { data: unknown } } } };",
    "node_modules/@trpc/client/package.json":
      '{ "name": "@trpc/client", "type": "module", "types": "index.d.ts" }',
    "node_modules/@trpc/client/index.d.ts": trpcDeclarations,
    "node_modules/@trpc/tanstack-react-query/package.json":
      '{ "name": "@trpc/tanstack-react-query", "type": "module", "types": "index.d.ts" }',
    "node_modules/@trpc/tanstack-react-query/index.d.ts":
      "type Options<R> = { [K in keyof R]: R[K] extends { kind: string } ? { queryOptions(input?: unknown): { queryKey: string[] } } : Options<R[K]> };\nexport declare function createTRPCOptionsProxy<R>(options: { client: object }): Options<R>;",
    "node_modules/sender/package.json":
      '{ "name": "sender", "type": "module", "types": "index.d.ts" }',
    "node_modules/sender/index.d.ts":
      "export declare function send(client: object): void;\nexport declare class Sender { constructor(client: object) }",
    "src/schema.d.ts":
      "export interface paths { a: 1 }\nexport interface components { schemas: { Order: { id: number; title: string } } }\n",
    ...files,
  });
  for (const [name, path] of Object.entries({ ...packages, ...others })) {
    const link = join(sandbox.root, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(path), link);
  }
  const generated = await sandbox.run(["generate"]);
  expect(generated).toMatchObject({ exitCode: 0 });
  return sandbox;
}
