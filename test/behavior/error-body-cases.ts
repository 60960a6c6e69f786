import { loadGenerated, readContract } from "./load-contract.js";

/** A contract whose errors have their own bodies. */
export const errorBodyContract = readContract("error-bodies.ridl");

/** What a client makes of a response that is no success. */
export interface ErrorBodyCase {
  /** The name of the method in code. */
  readonly method: string;
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: {
    readonly name: string;
    readonly code: number;
    readonly status: number;
    readonly message: string;
    readonly cause: string | null;
    readonly data: unknown;
  };
}

const problem = {
  type: "x",
  number: "0",
  status: 400,
  errors: [{ message: "no", reason: "because" }],
};

const bodies: readonly string[] = [
  ...[
    { ...problem, type: "not_found" },
    { ...problem, type: "sold_out", left: 3 },
    { ...problem, type: "NotFound", errors: [] },
    { ...problem, type: "WebrpcBadRequest" },
    { ...problem, type: "WebrpcBadRequest", number: "1409" },
    { ...problem, number: "1410", left: -1 },
    { ...problem, number: "-4" },
    { ...problem, number: 1409 },
    { ...problem, number: 1e300 },
    { ...problem, number: "seven" },
    ...["0x581", "1409.0", "01409", " 1409", "9007199254740993"].map(
      (number) => ({ ...problem, number }),
    ),
    { ...problem, number: true },
    { ...problem, number: [1409] },
    { ...problem, number: "77" },
    { ...problem, number: "1501" },
    { ...problem, number: 1500, pot: "red" },
    { ...problem, errors: { "0": { message: "in an object" } } },
    { ...problem, errors: [{ message: 7, reason: 8 }] },
    { type: null, number: [], errors: "none" },
    { type: "__proto__" },
    { pot: "blue", message: "short and stout" },
    { upstream: "mail" },
    { error: "SoldOut", code: 1409, msg: "an envelope", status: 409 },
    {},
    { detail: " no such pet " },
    { detail: [{ msg: "a" }, { msg: "b" }, { msg: 1 }, "c"] },
    { message: ["a", "b"], error: "Bad Request", statusCode: 400 },
    { error: { message: "deep", detail: "x" } },
    { errors: [{ title: "<p>" }, { message: "m".repeat(600) }] },
    { a: { b: "c" }, error: { error: { error: { error: "too deep" } } } },
  ].map((body) => JSON.stringify(body)),
  ...[
    "",
    "No such pet.",
    " ",
    "é".repeat(600),
    '["a"]',
    "<p>",
    "[]",
    "null",
    "1",
    '"text"',
  ],
];

const statuses = [301, 400, 404, 409, 410, 418, 500, 502, 503];

type Result = { readonly error: Error & { readonly data?: unknown } };

const headers: readonly Readonly<Record<string, string>>[] = [
  {},
  {
    "X-Limit": "10",
    "X-Scopes": "read , write",
    "X-Temperatures": "1.5,-2,1e3",
  },
  { "X-Limit": "ten", "X-Scopes": "", "X-Temperatures": "hot" },
];

/** Calls each method of a generated client with each status and each body. */
export async function errorBodyCases(): Promise<readonly ErrorBodyCase[]> {
  const exports = await loadGenerated("error-bodies.ridl");
  let answer = new Response();
  const create = exports["createShopClient"] as (
    options: object,
  ) => Readonly<
    Record<string, { result: (request: object) => Promise<Result> }>
  >;
  const client = create({
    baseUrl: "http://host",
    fetch: () => Promise.resolve(answer),
  });
  const cases: ErrorBodyCase[] = [];
  for (const method of ["fail", "failOne", "failAny"]) {
    for (const status of statuses) {
      for (const body of bodies) {
        const given = headers[cases.length % headers.length] ?? {};
        answer = new Response(body, { status, headers: given });
        const { error } = Object(await client[method]?.result({ how: "a" }));
        const { cause, code, data = null, message, name } = error;
        const text = typeof cause === "string" ? cause : null;
        const found = { name, code, status: error.status, message };
        const read = { ...found, cause: text, data };
        cases.push({ method, status, body, headers: given, error: read });
      }
    }
  }
  return cases;
}
