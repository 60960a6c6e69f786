import { deepStrictEqual } from "node:assert/strict";

/** A value of each type, in its JSON form. */
export const everything = {
  text: "naïve 商店 🦄",
  secret: "1234",
  password: "5678",
  flag: true,
  small: -128,
  large: 9007199254740991,
  ratio: 0.5,
  total: "123456789012345678901234567890",
  when: "2026-01-31T12:00:00.5+01:00",
  data: "AAECAw==",
  color: "Blue" as const,
  code: "EUR",
  list: ["a", "b"],
  counts: { one: 1, two: 2 },
  byColor: { Red: { id: 1, name: "SICP", kind: "something new" } },
  nothing: null,
  sold: null,
  anything: { deep: [1, null] },
};

/** The responses of the shop's methods, as a client returned them. */
export interface Answers {
  readonly ping: unknown;
  readonly echo: unknown;
  readonly getItem: unknown;
  readonly getItems: unknown;
  readonly count: string;
  readonly upload: unknown;
  readonly download: string;
}

/**
 * The error envelopes of failed calls: at least one for each method, including
 * calls without a credential.
 */
export interface Failed {
  readonly ping: unknown;
  readonly echo: unknown;
  readonly echoLimits: unknown;
  readonly getItem: unknown;
  readonly getItemKey: unknown;
  readonly getItemToken: unknown;
  readonly getItems: unknown;
  readonly count: unknown;
  readonly upload: unknown;
  readonly download: unknown;
}

/** Throws unless a client returned what the server sent. */
export function check(answers: Answers, failed: Failed): void {
  const { count, ...others } = answers;
  deepStrictEqual(others, {
    ping: { ok: true },
    echo: everything,
    getItem: {
      item: {
        id: 2,
        name: "Alien",
        kind: "film",
        parent: { id: 1, name: "SICP", kind: "book" },
      },
    },
    getItems: [
      { id: 1, name: "SICP", kind: "book" },
      {
        id: 2,
        name: "Alien",
        kind: "film",
        parent: { id: 1, name: "SICP", kind: "book" },
      },
    ],
    upload: { bytes: 7 },
    download: "content",
  });
  const lines = count.split("\n").filter((line) => line !== "");
  deepStrictEqual(
    lines.map((line): unknown => JSON.parse(line)),
    [{ n: 1 }, { n: 2 }, { n: 3 }],
  );
  const names = Object.entries(failed).map(([key, value]) => [
    key,
    Object(value).error,
    Object(value).status,
  ]);
  deepStrictEqual(names, [
    ["ping", "WebrpcBadRoute", 404],
    ["echo", "Sold", 409],
    ["echoLimits", "InvalidArgument", 400],
    ["getItem", "ItemNotFound", 404],
    ["getItemKey", "Unauthorized", 401],
    ["getItemToken", "Forbidden", 403],
    ["getItems", "ItemNotFound", 404],
    ["count", "Sold", 409],
    ["upload", "Sold", 409],
    ["download", "ItemNotFound", 404],
  ]);
}

/** The address of the server, which `run.js` passes to each client. */
export const address = process.argv[2] ?? "";

/** The picture that is uploaded and downloaded. */
export const picture = new Blob(["content"], { type: "text/plain" });
