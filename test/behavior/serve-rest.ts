import { fileURLToPath } from "node:url";
import type { FileData } from "@ridlkit/runtime/file-data";
import type { Listening } from "../support/listen.js";
import { loadGenerated, readContract, serve } from "./load-contract.js";

/** A contract with forms, headers and statuses. */
export const restContract = readContract("rest.ridl");

/** How every client reads server-sent events. */
export const eventCases = fileURLToPath(
  new URL("../../runtime/cases/event-cases.jsonl", import.meta.url),
);

/** How every client reads streams of lines. */
export const lineCases = fileURLToPath(
  new URL("../../runtime/cases/line-cases.jsonl", import.meta.url),
);

/** What `Parts.Put` returns besides the page. */
interface Put {
  readonly id: number;
  readonly revision: string;
  readonly counts: readonly number[];
  readonly flag?: boolean;
  readonly text: string;
  readonly words?: readonly string[];
}

/** A part of what `Parts.Pay` receives. */
interface Pay {
  readonly profile?: { readonly name: string; readonly more: object };
}

/** What `Parts.Attach` receives. */
interface Attach {
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly address?: object;
  readonly counts?: object;
  readonly paper: FileData;
  readonly photos?: readonly FileData[];
}

/** What `Parts.Logos` receives. */
interface Logos {
  readonly labels?: readonly string[];
  readonly images: readonly FileData[];
}

/** What `Parts.Store` receives. */
interface Store {
  readonly note?: string;
  readonly revision: string;
  readonly content: FileData;
}

/** What `Parts.Watch` receives. */
interface Watch {
  readonly id: string;
  readonly count: number;
  readonly fail?: boolean;
}

/** What `Parts.Scan` receives. */
interface Scan {
  readonly scan?: FileData;
}

async function read(file: FileData): Promise<object> {
  // `text()` would remove a byte order mark.
  const bytes = await new Response(file.stream()).arrayBuffer();
  return { type: file.type, text: Buffer.from(bytes).toString() };
}

/** Returns the names, types and contents of files. */
function describe(files: readonly FileData[]): Promise<string[]> {
  return Promise.all(
    files.map(async (file) => {
      const text = await new Response(file.stream()).text();
      return `${file.name} ${file.type} ${text}`;
    }),
  );
}

/** Starts a server of the contract. Most methods return what they receive. */
export async function serveRest(): Promise<Listening> {
  const exports = await loadGenerated("rest.ridl");
  const Limit = exports["LimitReachedError"] as new (options: object) => Error;
  const limit = { left: 1, retryIn: 7 };
  const receive = (received: unknown): object => ({ received });
  return serve(exports, "createRestServer", {
    // Some handlers fail deliberately.
    onError: () => undefined,
    handlers: {
      parts: {
        form: receive,
        brackets: receive,
        change: receive,
        pay: ({ profile, ...rest }: Pay) =>
          receive({
            ...rest,
            ...(profile && {
              profile: { name: profile.name, ...profile.more },
            }),
          }),
        read: ({ id, words }: Put) => ({
          page: { pageID: String(id), text: "" },
          words,
        }),
        refine: () => undefined,
        put: ({ id, revision, text, ...rest }: Put) => ({
          page: { pageID: String(id), text },
          location: `/pages/${String(id)}?${revision}`,
          ...rest,
        }),
        delete: ({ id }: { id: number }) => ({ left: id }),
        create: ({ name }: { name: string }) => {
          if (name === "limit") throw new Limit({ data: limit });
          if (name === "") return {};
          if (name === "both")
            return { report: { name: "" }, ticket: { position: 1 } };
          return name === "later"
            ? { ticket: { position: 1 } }
            : { report: { name } };
        },
        replace: ({ name }: { name: string }) => ({
          status: name === "new" ? 201 : name === "wrong" ? 202 : 200,
          report: { name },
        }),
        refresh: () => undefined,
        nest: () => undefined,
        attach: async ({
          title,
          tags,
          address,
          counts,
          paper,
          photos,
        }: Attach) => ({
          title,
          tags,
          address,
          counts,
          files: await describe([paper, ...(photos ?? [])]),
        }),
        logos: async ({ labels, images }: Logos) => ({
          labels,
          files: await describe(images),
        }),
        store: async ({ content, note, revision }: Store) => ({
          note,
          revision,
          ...(await read(content)),
        }),
        scan: ({ scan }: Scan) => (scan ? read(scan) : { type: "", text: "" }),
        fetch: ({ id }: { id: string }) => ({
          file: new File([`content of ${id}`], `${id}.txt`, {
            type: "text/plain",
          }),
        }),
        print: ({ id, text = "" }: { id: string; text?: string }) => ({
          sheet: new File([`${id}: ${text}`], "", { type: "text/csv" }),
        }),
        copy: ({ source }: { source: FileData }) => ({ file: source }),
        async *watch({ count, fail, id }: Watch) {
          await Promise.resolve();
          const large = 2n ** 70n;
          for (let n = 1; n <= count; n += 1)
            yield { id, n, large, more: [id] };
          if (fail) throw new Limit({ data: limit });
        },
        async *tick({ id, count = 1 }: { id: string; count?: number }) {
          await Promise.resolve();
          for (let n = 1; n <= count; n += 1) yield { tick: [id, n] };
        },
        async *beat({ count }: { count: number }) {
          await Promise.resolve();
          for (let n = 1; n <= count; n += 1) yield {};
        },
      },
      feed: {
        async *lines() {
          await Promise.resolve();
          yield { n: 1 };
        },
      },
    },
  });
}
