import { afterAll } from "vitest";
import { createPlan } from "../../../generator/4-emit/typescript/plan/create-plan.js";
import type { EmitOptions } from "../../../generator/4-emit/emitter/emitter.js";
import { createNodeSystem } from "../../../cli/node/node-system.js";
import {
  type GeneratedModules,
  loadGenerated,
} from "../../../cli/project/load-generated.js";
import { compileContract } from "../../../generator/compile.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { allMethods } from "../../../generator/ir/methods-of.js";
import {
  createReference,
  type Reference,
  referenceFiles,
} from "../../../tools/test/reference.js";
import type { TestReport } from "../../../tools/test/report.js";
import {
  selectMethods,
  testMethods,
} from "../../../tools/test/test-contract.js";
import type { TestOptions } from "../../../tools/test/test-method.js";

/** A contract with every kind of method and limit. */
export const shop = `webrpc = v1
name = shop
version = v1.0.0

# The key of a customer.
type Key: string
  + header = X-Key
  + error = Unauthorized

error 1401 Unauthorized "unauthorized" HTTP 401
error 1404 BookNotFound "no such book" HTTP 404
error 1409 SoldOut "sold out" HTTP 409

struct Stock
  - left: uint32

type SoldOutData: Stock
  + dataOf = SoldOut

error 2000 InvalidArgument "invalid argument" HTTP 400

type Isbn: string
  + pattern = "^[0-9]{13}$"
  + example = 9780262510875

enum Cover: string
  - hard
  - soft

struct Book
  - isbn: Isbn
  - title: string
    + maxLength = 20
  - price: uint32
    + maximum = 100
  - sold: uint64
  - cover?: Cover
  - printed: timestamp
  - tags: []string
    + maxItems = 3
    + uniqueItems = true
  - notes: map<string,int8>
  - digest: []byte

service Shop
  @readonly
  - GetBook(isbn: Isbn) => (book: Book) errors BookNotFound
  @readonly
  - Echo(book: Book) => (book: Book) errors BookNotFound
  @auth:"X-Key" @readonly
  - MyBooks(cover?: Cover) => (books: []Book)
  - AddBook(book: Book) => (count: uint32) errors SoldOut
  @readonly
  - Watch(isbn: Isbn) => stream (book: Book)
  - Upload(isbn: Isbn, cover: file) => (size: uint32)
  @readonly
  - Download(isbn: Isbn) => (file)
  @get:"/books/{isbn}" @auth:"X-Key|none" @body:book
  - ReadBook(isbn: Isbn) => (book: Book) errors BookNotFound
`;

const options: EmitOptions = {
  language: "javascript",
  int64: "bigint",
  timestamp: "string",
  runtime: "copy",
  importExtension: ".js",
  runtimeFiles: referenceFiles,
};

const loaded = new Map<string, Promise<[Contract, GeneratedModules]>>();
afterAll(async () => {
  for (const made of loaded.values()) (await made)[1].remove();
  loaded.clear();
});

/** Compiles a contract and generates its modules once. */
function load(ridl: string): Promise<[Contract, GeneratedModules]> {
  const made = loaded.get(ridl) ?? generate(ridl);
  loaded.set(ridl, made);
  return made;
}

async function generate(ridl: string): Promise<[Contract, GeneratedModules]> {
  const { value, diagnostics } = compileContract(["shop.ridl"], {
    read: () => ridl,
  });
  if (value === null) {
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  }
  const system = createNodeSystem();
  return [
    value,
    await loadGenerated(value, [{ name: "server" }], options, system),
  ];
}

/** A bug in a server. */
export interface Bug {
  /** Changes the contract from which the server is generated. */
  readonly contract?: (ridl: string) => string;
  /** Replaces a handler. */
  readonly handlers?: Readonly<Record<string, (request: never) => unknown>>;
  /** Wraps the server. */
  readonly wrap?: (
    request: Request,
    handle: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
}

const book = {
  ...{ isbn: "9780262510875", title: "SICP", price: 64, sold: 2n ** 60n },
  ...{ cover: "soft", printed: "1996-07-25T00:00:00Z", tags: ["a"] },
  ...{ notes: { a: 1 }, digest: new Uint8Array([1, 2]) },
};

/** Creates a `fetch` that calls a server in this process. */
export async function serve(bug: Bug = {}): Promise<typeof fetch> {
  const [, modules] = await load(bug.contract?.(shop) ?? shop);
  const { BookNotFoundError } = Object(await modules.load("errors.js"));
  const find = ({ isbn }: { isbn: string }): object => {
    if (isbn.startsWith("0")) throw new BookNotFoundError();
    return { book };
  };
  const handlers = {
    getBook: find,
    readBook: find,
    echo: (request: object) => request,
    myBooks: () => ({ books: [book] }),
    addBook: () => ({ count: 1 }),
    watch: async function* (request: { isbn: string }) {
      yield find(request);
    },
    upload: () => ({ size: 1 }),
    download: () => ({ file: new Blob(["text"]) }),
    ...bug.handlers,
  };
  const { createShopServer } = Object(await modules.load("server.js"));
  const server = createShopServer({
    handlers: { shop: handlers },
    verifyKey: (value: string) => value === "good",
    onError: () => undefined,
  });
  const handle = (request: Request): Promise<Response> => server.fetch(request);
  return (url, init) => {
    const request = new Request(url, init);
    return bug.wrap?.(request, handle) ?? handle(request);
  };
}

/** Tests a shop server with the usual options. */
export async function testShop(
  fetch: typeof globalThis.fetch,
  match: string | null = null,
  changes: Partial<TestOptions> = {},
  alter: (reference: Reference) => Partial<Reference> = () => ({}),
): Promise<TestReport> {
  const [contract, modules] = await load(shop);
  const plan = createPlan(contract, options);
  const patterns = match === null ? [] : [match];
  const { testedMethods, skipped } = selectMethods(plan, {
    patterns,
    writes: true,
  });
  const headers = new Map([["x-key", "good"]]);
  const reference = await createReference(plan, modules.load, headers);
  const settings: TestOptions = {
    fetch,
    timeoutMs: 10_000,
    parameters: new Map(),
    headers,
    values: new Map(),
    writes: true,
    methods: allMethods(contract.hosts),
    seed: 1,
    runs: 50,
    deadline: Infinity,
    allowsQuirks: false,
    addresses: new Map([["shop", "http://shop.example"]]),
    ...changes,
  };
  const methods = await testMethods(
    testedMethods,
    { ...reference, ...alter(reference) },
    settings,
    () => {},
  );
  const command = "ridl test http://shop.example --seed 1";
  return { url: "http://shop.example", seed: 1, methods, skipped, command };
}
