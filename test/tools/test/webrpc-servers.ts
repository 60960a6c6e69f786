/** Decodes JSON as Go does: null and missing values become zero values. */
type Decode = (value: unknown) => unknown;

function refuse(): never {
  throw new TypeError("json: cannot unmarshal");
}

function text(value: unknown): unknown {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : refuse();
}

function integer(min: number, max: number): Decode {
  return (value) => {
    if (value === null || value === undefined) return 0;
    const fits = Number.isInteger(value) && Number(value) >= min;
    return fits && Number(value) <= max ? value : refuse();
  };
}

/**
 * Decodes a 64-bit integer, which {@link parse} reads as text if it is long.
 */
function wide(value: unknown): unknown {
  if (typeof value !== "string") return integer(0, 2 ** 53)(value);
  const isLong = /^wide \d{16,20}$/u.test(value);
  return isLong && BigInt(value.slice(5)) < 2n ** 64n ? value : refuse();
}

function parse(json: string): unknown {
  return JSON.parse(json.replace(/:([0-9]{16,})/gu, ':"wide $1"'));
}

function print(value: unknown): string {
  return JSON.stringify(value).replace(/"wide ([0-9]+)"/gu, "$1");
}

function time(value: unknown): unknown {
  const written = text(value);
  if (written === "") return value === "" ? refuse() : "0001-01-01T00:00:00Z";
  const isTime = /^\d{4}-\d\d-\d\dT/u.test(String(written));
  const day = String(written).slice(0, 10);
  const isDay = isTime && new Date(day).toISOString().startsWith(day);
  return isDay ? written : refuse();
}

function bytes(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const decoded = Buffer.from(String(text(value)), "base64");
  return decoded.toString("base64") === value ? value : refuse();
}

/**
 * Returns a decoder for a type that is nil by default, such as a slice or map.
 */
function holder(
  isHolder: (value: object) => boolean,
  map: (value: object) => unknown,
): Decode {
  return (value) => {
    if (value === null || value === undefined) return null;
    return typeof value === "object" && isHolder(value) ? map(value) : refuse();
  };
}

function struct(fields: Readonly<Record<string, Decode>>): Decode {
  return (value) => {
    const given = Object(value ?? {});
    if (Array.isArray(value) || typeof (value ?? {}) !== "object") refuse();
    return Object.fromEntries(
      Object.entries(fields).map(([name, decode]) => [
        name,
        decode(given[name]),
      ]),
    );
  };
}

const decodeBook = struct({
  isbn: text,
  title: text,
  price: integer(0, 2 ** 32 - 1),
  sold: wide,
  cover: (value) =>
    value === undefined || value === null ? null : text(value),
  printed: time,
  tags: holder(Array.isArray, (list) => Object.values(list).map(text)),
  notes: holder(
    (value) => !Array.isArray(value),
    (map) =>
      Object.fromEntries(
        Object.entries(map).map(([key, value]) => [
          key,
          integer(-128, 127)(value),
        ]),
      ),
  ),
  digest: bytes,
});

const requests: Readonly<Record<string, Decode>> = {
  GetBook: struct({ isbn: text }),
  Echo: struct({ book: decodeBook }),
};

/** A book whose slices, maps, and byte slices are nil, as Go sends it. */
const nilBook = {
  ...{ isbn: "9780262510875", title: "SICP", price: 64, sold: 1 },
  ...{ printed: "1996-07-25T00:00:00Z", tags: null, notes: null, digest: null },
};

function envelope(error: string, code: number, status: number): Response {
  const msg = error.toLowerCase();
  return Response.json({ error, code, msg, status }, { status });
}

/**
 * Answers like a server from webrpc's Go generator, which decodes types but
 * ignores limits and missing fields.
 */
export const answerAsGo: typeof fetch = async (url, init) => {
  const request = new Request(url, init);
  const [, name = ""] =
    /^\/rpc\/Shop\/(\w+)$/u.exec(new URL(request.url).pathname) ?? [];
  const decode = requests[name];
  if (decode === undefined) return envelope("WebrpcBadRoute", -2, 404);
  if (request.method !== "POST") {
    const answer = envelope("WebrpcBadMethod", -3, 405);
    answer.headers.set("allow", "POST");
    return answer;
  }
  const [type] = (request.headers.get("content-type") ?? "").split(";");
  const bad = (): Response => envelope("WebrpcBadRequest", -4, 400);
  if (type?.trim().toLowerCase() !== "application/json") return bad();
  let message: unknown;
  try {
    message = decode(parse(await request.text()));
  } catch {
    return bad();
  }
  const { isbn } = Object(message);
  if (name === "GetBook" && isbn === "") {
    return envelope("WebrpcEndpoint", 0, 400);
  }
  const headers = {
    "content-type": "application/json",
    webrpc: "webrpc@v0.30.0;gen-golang@v0.22.0;shop@v1.0.0",
  };
  const answer = name === "GetBook" ? { book: nilBook } : message;
  return new Response(print(answer), { headers });
};

/**
 * Answers like a server from webrpc's TypeScript generator, which accepts any
 * JSON and whose errors have different members.
 */
export const answerAsTypescript: typeof fetch = async (url, init) => {
  const request = new Request(url, init);
  const { pathname } = new URL(request.url);
  const fail = (name: string, code: number, status: number): Response =>
    Response.json({ name, code, status }, { status });
  if (!/^\/rpc\/Shop\/(?:GetBook)$/u.test(pathname)) {
    return fail("WebrpcBadRoute", -2, 404);
  }
  const value = await request.json().catch(() => ({}));
  const { isbn } = Object(value);
  if (typeof isbn !== "string") return fail("WebrpcBadRequest", -4, 400);
  return Response.json({
    book: { ...nilBook, tags: [], notes: {}, digest: "" },
  });
};
