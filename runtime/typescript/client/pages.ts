import type { CallArguments, CallOptions } from "./call.js";
import { findInLinks, pageKey } from "../wire/page-links.js";
import { createTransportErrorAs } from "./transport-error.js";

/**
 * Describes how a method returns pages. Generated code contains a constant of
 * this type for each method that does.
 */
export interface Paging<Request, Response, Page> {
  /**
   * Returns the page that a request asks for. Undefined means the first page.
   */
  readonly pageOf: (request: Request) => Page | undefined;
  /** Returns the request for a page. */
  readonly at: (request: Request, page: Page) => Request;
  /**
   * Returns the page that follows a response, or undefined if there are no
   * more.
   */
  readonly next: (
    response: Response,
    asked: Page | undefined,
  ) => Page | undefined;
}

/** Describes pages whose response contains exactly one list. */
export interface ListPaging<Request, Response, Page, Item> extends Paging<
  Request,
  Response,
  Page
> {
  /** Returns the list. */
  readonly items: (response: Response) => readonly Item[] | null | undefined;
}

/** A method of a client. */
type PagedCall<Request, Response> = (
  ...args: CallArguments<Request>
) => Promise<Response>;

/**
 * Reads pages, one call at a time. The next call begins when the caller asks
 * for the next page, so leaving the loop ends the calls. If the request names a
 * page, this is the first one. The options apply to each call.
 *
 * Example: `for await (const page of pages(client.listOrders,
 * shopListOrdersPaging, { owner }))`.
 * Errors: see `Call`. TransportError with the reason `bad-response` if the
 * server refers to a page that was already read.
 */
export function pages<Request, Response, Page>(
  call: PagedCall<Request, Response>,
  paging: Paging<Request, Response, Page>,
  ...args: CallArguments<Request>
): AsyncGenerator<Response, void, undefined>;
/** Implements the signature above. */
export async function* pages(
  call: (request: unknown, options?: CallOptions) => Promise<unknown>,
  { at, next, pageOf }: Paging<unknown, unknown, unknown>,
  request: unknown = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void, undefined> {
  const read = new Set<unknown>();
  for (let page = pageOf(request); ; request = at(request, page)) {
    read.add(pageKey(page));
    const response = await call(request, options);
    yield response;
    page = next(response, page);
    if (page === undefined) return;
    if (read.has(pageKey(page)))
      throw badPages("the next page was already read");
  }
}

/**
 * Reads the items of pages. See {@link pages}.
 *
 * Example: `for await (const order of items(client.listOrders,
 * shopListOrdersPaging, { owner }))`.
 */
export function items<Request, Response, Page, Item>(
  call: PagedCall<Request, Response>,
  paging: ListPaging<Request, Response, Page, Item>,
  ...args: CallArguments<Request>
): AsyncGenerator<Item, void, undefined>;
/** Implements the signature above. */
export async function* items(
  call: PagedCall<unknown, unknown>,
  paging: ListPaging<unknown, unknown, unknown, unknown>,
  ...args: CallArguments<unknown>
): AsyncGenerator<unknown, void, undefined> {
  for await (const response of pages(call, paging, ...args))
    yield* paging.items(response) ?? [];
}

/**
 * Returns the page in the link to the next page, or undefined if there is none.
 * Errors: TransportError `bad-response` if the link does not contain a page.
 */
export function nextInLinks(
  links: string | null | undefined,
  parameter: string,
): string | undefined {
  const value = findInLinks(links, parameter);
  if (value === null) throw unreadable(`it has no "${parameter}"`);
  return value;
}

/** Returns the number of the page in the link to the next page. */
export function nextNumberInLinks(
  links: string | null | undefined,
  parameter: string,
): number | undefined {
  const text = nextInLinks(links, parameter);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw unreadable(`"${parameter}" is not a number`);
  return Number(text);
}

function unreadable(problem: string): Error {
  return badPages(`the link to the next page cannot be read: ${problem}`);
}

function badPages(cause: string): Error {
  return createTransportErrorAs(
    "bad-response",
    { cause },
    "WebrpcBadResponse",
    -5,
    200,
  );
}

/**
 * Returns the page after a numbered page, or undefined if there are no more.
 * Size, order, and other fields stay the same.
 */
export function nextPage<
  Page extends { readonly page?: number; readonly more?: boolean },
>(
  answered: Page | null | undefined,
  asked: Page | undefined,
): Page | undefined {
  if (!answered?.more) return undefined;
  const page = (answered.page ?? asked?.page ?? 1) + 1;
  return { ...answered, ...asked, page };
}
