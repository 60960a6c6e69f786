/**
 * The messages that the Go server and the Go client of webrpc's
 * interoperability suite send, as text.
 */

const user = `{"id":1,"USERNAME":"John-Doe","role":"admin"}`;
// Go writes the absent optional field as null.
const goUser = `{"id":1,"USERNAME":"John-Doe","role":"admin","nickname":null}`;

function complex(u: string): string {
  return `{"complex":{"meta":{"1":"23","2":24},"metaNestedExample":{"1":{"2":1}},"namesList":["John","Alice","Jakob"],"numsList":[1,2,3,4534643543],"doubleArray":[["testing"],["api"]],"listOfMaps":[{"Jakob":251,"alice":2,"john":1}],"listOfUsers":[${u}],"mapOfUsers":{"admin":${u}},"user":${u},"status":"AVAILABLE"}}`;
}

const one = `{"one":{"id":1,"name":"one"}}`;
const multi = `{"one":{"id":1,"name":"one"},"two":{"id":2,"name":"two"},"three":{"id":3,"name":"three"}}`;

/** One exchange: the Go client's request body and the Go server's response. */
export interface Exchange {
  readonly method: string;
  /** `null` if a method has no arguments, as Go sends it. */
  readonly request: string;
  readonly status: number;
  readonly response: string;
}

/** The successful exchanges. */
export const exchanges: readonly Exchange[] = [
  ok("GetEmpty", "null", "{}"),
  ok("GetOne", "null", one),
  ok("SendOne", one, "{}"),
  ok("GetMulti", "null", multi),
  ok("SendMulti", multi, "{}"),
  ok("GetComplex", "null", complex(user)),
  ok("SendComplex", complex(user), "{}"),
  ok("SendComplex", complex(goUser), "{}"),
  ok("GetEnumList", "null", `{"list":["AVAILABLE","NOT_AVAILABLE"]}`),
  ok("GetEnumMap", "null", `{"map":{"READ":1,"WRITE":2}}`),
  ok("GetSchemaError", `{"code":9}`, "{}"),
];

function ok(method: string, request: string, response: string): Exchange {
  return { method, request, status: 200, response };
}

/** An error that `GetSchemaError` returns for a code. */
export interface SchemaErrorRow {
  readonly code: number;
  readonly name: string;
  readonly msg: string;
  readonly status: number;
  readonly cause?: string;
}

/** All 19 errors that `GetSchemaError` can return. */
export const schemaErrors: readonly SchemaErrorRow[] = [
  {
    code: 0,
    name: "WebrpcEndpoint",
    msg: "endpoint error",
    status: 400,
    cause: "failed to read file: unexpected EOF",
  },
  {
    code: 1,
    name: "Unauthorized",
    msg: "unauthorized",
    status: 401,
    cause: "failed to verify JWT token",
  },
  { code: 2, name: "ExpiredToken", msg: "expired token", status: 401 },
  { code: 3, name: "InvalidToken", msg: "invalid token", status: 401 },
  { code: 4, name: "Deactivated", msg: "account deactivated", status: 403 },
  { code: 5, name: "ConfirmAccount", msg: "confirm your email", status: 403 },
  { code: 6, name: "AccessDenied", msg: "access denied", status: 403 },
  { code: 7, name: "MissingArgument", msg: "missing argument", status: 400 },
  { code: 8, name: "UnexpectedValue", msg: "unexpected value", status: 400 },
  {
    code: 100,
    name: "RateLimited",
    msg: "too many requests",
    status: 429,
    cause: "1000 req/min exceeded",
  },
  { code: 101, name: "DatabaseDown", msg: "service outage", status: 503 },
  { code: 102, name: "ElasticDown", msg: "search is degraded", status: 503 },
  { code: 103, name: "NotImplemented", msg: "not implemented", status: 501 },
  { code: 200, name: "UserNotFound", msg: "user not found", status: 400 },
  { code: 201, name: "UserBusy", msg: "user busy", status: 400 },
  { code: 202, name: "InvalidUsername", msg: "invalid username", status: 400 },
  {
    code: 300,
    name: "FileTooBig",
    msg: "file is too big (max 1GB)",
    status: 400,
  },
  { code: 301, name: "FileInfected", msg: "file is infected", status: 400 },
  {
    code: 302,
    name: "FileType",
    msg: "unsupported file type",
    status: 400,
    cause: ".wav is not supported",
  },
];

/** The response of `GetError`. */
export const getErrorBody = `{"error":"WebrpcEndpoint","code":0,"msg":"endpoint error","cause":"internal error","status":400}`;

/**
 * Prints the envelope of a row as Go does, with Go's key order and without an
 * empty cause.
 */
export function envelopeOf(row: SchemaErrorRow): string {
  const { name: error, code, msg, cause, status } = row;
  return JSON.stringify({ error, code, msg, cause, status });
}
