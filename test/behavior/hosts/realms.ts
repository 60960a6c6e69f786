import { createContext, runInContext } from "node:vm";
import { transform } from "esbuild";
import {
  bundleGenerated,
  generateContract,
  type WireOptions,
} from "../conformance/load-contract.js";
import type { ServedContract } from "../conformance/served-contract.js";
import { reactNativeGlobals } from "../typescript/realm-globals.js";

/** Only this folder has these packages. */
const packages = { abort: "abort-controller", dom: "jsdom" };

/** Sends the request of a client, which may have values of another realm. */
export type Serve = (url: string, init: RequestInit) => Promise<Response>;

/** A realm without some web globals, in which clients run. */
export interface Realm {
  readonly name: string;
  /** Whether its `fetch` returns the parts of a body as they arrive. */
  readonly streams: boolean;
  /** Opens a realm. Returns what runs a script in it. */
  readonly open: (serve: Serve) => Promise<(code: string) => unknown>;
}

/** A client in a realm, which turns requests into values of the realm. */
export interface RealmClient {
  readonly createClient: ServedContract["createClient"];
  readonly createController: () => AbortController;
  readonly createFile: (text: string) => object;
}

/** A blob of React Native, whose content only the platform reads. */
class PlatformBlob {
  readonly #blob: Blob;

  constructor(parts: BlobPart[] = [], options: BlobPropertyBag = {}) {
    this.#blob = new Blob(parts, options);
  }

  get size(): number {
    return this.#blob.size;
  }

  get type(): string {
    return this.#blob.type;
  }

  /** Returns what the platform sends. */
  static contentOf(value: unknown): unknown {
    return value instanceof PlatformBlob ? value.#blob : value;
  }
}

/** Returns a body as the platform of React Native sends it. */
function bodyOf(body: unknown): BodyInit | null {
  const { parts } = Object(body) as { parts?: [string, unknown, string?][] };
  if (parts === undefined) return (body ?? null) as BodyInit | null;
  const form = new FormData();
  for (const [name, value, file] of parts) {
    const content = PlatformBlob.contentOf(value);
    if (content instanceof Blob) form.append(name, content, file);
    else form.append(name, String(value));
  }
  return form;
}

/** Passes a request on with values of this realm. */
function adopt(serve: Serve): Serve {
  return (url, { body, headers, method, signal }) => {
    const controller = new AbortController();
    if (signal?.aborted) controller.abort();
    signal?.addEventListener("abort", () => controller.abort());
    return serve(url, {
      ...{ method, headers, body: bodyOf(body) },
      signal: controller.signal,
    } as RequestInit);
  };
}

async function openReactNative(
  serve: Serve,
  more: object = {},
): Promise<(code: string) => unknown> {
  const { AbortController } = Object(await import(packages.abort));
  const context = createContext({
    ...reactNativeGlobals(adopt(serve)),
    ...{ AbortController, Blob: PlatformBlob, atob, btoa },
    ...more,
  });
  return (code) => runInContext(code, context);
}

/** The realms in which clients are tested. */
export const realms: readonly Realm[] = [
  { name: "React Native (emulated)", streams: false, open: openReactNative },
  {
    name: "React Native with a `fetch` that streams (emulated)",
    streams: true,
    open: (serve) =>
      openReactNative(serve, {
        fetch: adopt(serve),
        ...{ Response, TextDecoder, TransformStream },
      }),
  },
  {
    name: "jsdom with the `fetch` of Node",
    streams: true,
    async open(serve) {
      const { JSDOM } = Object(await import(packages.dom));
      const { window } = new JSDOM("", { runScripts: "outside-only" });
      Object.assign(window, {
        fetch: adopt(serve),
        ...{ Blob, FormData, Response },
        ...{ TextDecoder, TextEncoder, TransformStream },
      });
      return (code) => window.eval(code);
    },
  },
];

/** What a client does in a realm. */
const program = (create: string): string => `
  import { ${create} } from "./index.js";
  const own = (value) => {
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Blob) return value;
    if (Array.isArray(value)) return Array.from(value, own);
    if (ArrayBuffer.isView(value)) return new Uint8Array(value);
    if (Object.prototype.toString.call(value) === "[object Date]") return new Date(Number(value));
    return mapValues(value, own);
  };
  const mapValues = (value, map) =>
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, map(each)]));
  const wrap = (call) => Object.assign(
    (request, options) => call(own(request), options),
    { result: (request, options) => call.result(own(request), options) },
  );
  export const createClient = (options) =>
    mapValues(${create}(options), (service) => mapValues(service, wrap));
  export const createController = () => new AbortController();
  export const createFile = (text) => new Blob([text]);
`;

/** Generates a client, and runs it in a realm. */
export async function openClient(
  realm: Realm,
  serve: Serve,
  code: string,
): Promise<RealmClient> {
  const run = await realm.open(serve);
  run(code);
  return run("realm") as RealmClient;
}

/** Bundles the client of a contract for realms. */
export async function bundleClient(
  folder: string,
  document: string,
  create: string,
  form: WireOptions,
): Promise<string> {
  const files = generateContract(folder, document, form);
  const contents = program(create);
  const text = await bundleGenerated(files, { contents, resolveDir: folder });
  // A global that later scripts see.
  const options = { format: "iife", globalName: "realm" } as const;
  return (await transform(text, options)).code;
}
