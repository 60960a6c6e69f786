// Creates clients and senders from tables of methods. Generated clients use these functions.
import {
  createClient,
  createSender,
} from "@ridlkit/runtime/codegen/create-client";
import {
  bracketForm,
  fillKeys,
  form,
  get,
  hideUrl,
  keyInQuery,
  readHeaders,
  readStatuses,
  rest,
  rpc,
  sendAs,
  webhook,
  withoutUrl,
} from "@ridlkit/runtime/codegen/create-client";
import { stream } from "@ridlkit/runtime/codegen/create-streams";
import { fromEnvelope } from "@ridlkit/runtime/errors";
import type { GetBookRequest, GetBookResponse } from "../generated/types.js";
import { options } from "../shop.js";

const isbn = "9780262510875";

// Create a client without generated code.
const getBook = rpc<GetBookRequest, GetBookResponse, never>(
  "/rpc/Shop/GetBook",
  {
    credentials: [["apiKey", "x-api-key"]],
    safety: "readonly",
    hidden: "hidden",
    encode: (request) => ({ ...request }),
    decode: (message) => message as GetBookResponse,
    stringify: (message) => JSON.stringify(message),
    parse: (text): unknown => JSON.parse(text),
    fill: (path) => path,
    error: fromEnvelope,
  },
);
const bookClient = createClient(options, { getBook });
console.log((await bookClient.getBook({ isbn })).book.title);

// A REST read whose body is the field `book`, and a webhook.
export const readBook = get<GetBookRequest, GetBookResponse, never>(
  "/books/{isbn}",
  { body: "book" },
);

// `@http:"POST /books/{isbn}/sales?count&to={to,}&beta=true"` with
// `@requestHeaders:"If-Match={revision}"`, without outputs.
type SellBook = {
  isbn: string;
  count: number;
  to?: string[];
  revision: string;
};
export const sellBook = rest<SellBook, object, never>(
  "POST",
  "/books/{isbn}/sales",
  {
    verb: "POST",
    query: { count: "count", to: "to", beta: ["true"] },
    joined: ["to"],
    headers: { "if-match": "revision" },
    requestBody: true,
    isEmpty: true,
  },
);

// `@http:"POST /books" @body:book @responseHeaders:"Location={place}"`, with
// a number and a list in other headers.
type AddedBook = {
  book: object;
  place?: string;
  count?: number;
  tags: string[];
};
export const addBook = readHeaders(
  rest<{ title: string }, AddedBook, never>("POST", "/books", {
    body: "book",
    requestBody: true,
  }),
  {
    location: ["place"],
    "x-count": ["count", "json"],
    tags: ["tags", "texts", []],
  },
);

// `@http:"PUT /books/{isbn} 200={book} 201={book} 204" @responseStatus:status`.
type PutBook = { isbn: string; title: string };
type StoredBook = { status: number; book?: object };
export const putBook = readStatuses(
  rest<PutBook, StoredBook, never>("PUT", "/books/{isbn}", {
    requestBody: true,
    parse: JSON.parse,
  }),
  { 200: "book", 201: "book", 204: null },
  "status",
);

// `@http:"PUT /books/{isbn}/tags" @form`, and the same with `@form:brackets`.
type TagBook = { isbn: string; tags: readonly string[] };
const tags = { requestBody: true, isEmpty: true } as const;
export const tagBook = form<TagBook, object, never>(
  "PUT",
  "/books/{isbn}/tags",
  tags,
);
export const tagBookInBrackets = bracketForm<TagBook, object, never>(
  "PUT",
  "/books/{isbn}/tags",
  tags,
);

// `@http:"PATCH /books/{isbn}" @contentType:"application/merge-patch+json"`.
export const changeBook = sendAs(
  "application/merge-patch+json",
  rest<PutBook, object, never>("PATCH", "/books/{isbn}", tags),
);

// `@auth:"?api_key"`, where the credential is `+ query = api_key`.
const apiKey = ["apiKey", "?api_key"] as const;
export const findBook = keyInQuery<{ isbn: string }, { title: string }, never>(
  rest("GET", "/books/{isbn}", { credentials: [apiKey], use: [hideUrl] }),
);
export const countBooks = rpc<object, { count: number }, never>(
  "/rpc/Shop/CountBooks",
  { credentials: [apiKey], fill: fillKeys(), use: [hideUrl] },
);
export const watchBooks = stream<object, { count: number }, never>(
  "/rpc/Shop/WatchBooks",
  { credentials: [apiKey], fill: fillKeys(), via: withoutUrl },
);

const sender = createSender(options, {
  shipped: webhook<{ id: number }, never>({ event: "Shipped" }),
});
const sent = await sender.shipped.result("https://example.com", { id: 7 });
console.log(sent.ok); // false: the shop receives no webhooks
