import { type Answer, invalid, type ServerCase } from "./case.js";

/** What a client of another contract sends. */
const other = "conformance@v0.9.0;AAAAAA";
/** What the server says about its own contract. */
const own = /^conformance@v1\.0\.0;[\w-]{6}$/u;

const ok: Answer = { status: 200, text: '{"value":1}' };
const cause = "value: expected an unsigned 8-bit integer, got -1";
const plain: Answer = {
  status: 400,
  text: JSON.stringify({
    error: "InvalidArgument",
    code: 2000,
    msg: "Invalid argument",
    status: 400,
    cause,
  }),
  headers: { webrpc: null },
};

const calls: Readonly<
  Record<string, readonly [header: string, body: string, answer: Answer]>
> = {
  "another contract": [
    other,
    '{"value":1}',
    { ...ok, headers: { webrpc: own, vary: null } },
  ],
  "an error for another contract": [
    other,
    '{"value":-1}',
    {
      ...invalid(
        `${cause}; this client was made from another contract than this server (v1.0.0)`,
      ),
      headers: { webrpc: own },
    },
  ],
  "a header of webrpc's clients": [
    "webrpc@v0.31.0;gen-typescript@v0.23.1;conformance@v1.0.0",
    '{"value":-1}',
    plain,
  ],
  "a malformed header": ["conformance@v0.9.0;AAAAA", '{"value":-1}', plain],
  "a header that is too long": [
    `${other};${"x".repeat(2000)}`,
    '{"value":-1}',
    plain,
  ],
};

/** Headers with the contract of the client. */
export const contracts: readonly ServerCase[] = [
  ...Object.entries(calls).map(([title, [webrpc, body, answer]]) => ({
    name: `contracts: ${title}`,
    path: "/rpc/Echo/Uint8",
    headers: { "Content-Type": "application/json", Webrpc: webrpc },
    body,
    answer,
  })),
  {
    name: "contracts: caches distinguish reads by contracts",
    verb: "GET",
    path: "/names/a",
    headers: { Webrpc: other },
    body: null,
    answer: {
      status: 200,
      text: '{"name":"a"}',
      headers: { webrpc: own, vary: "Webrpc" },
    },
  },
].map((given) => ({ ...given, needs: ["contracts in errors"] }));
