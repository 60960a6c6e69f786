import type { ConsoleHostClient } from "../console/generated/client.js";
import type { Page } from "../console/generated/types.js";
import type { Settings } from "../settings/read-settings.js";
import { printRows } from "./print-rows.js";

/** Thrown if a command fails. The message gives the reason. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** Thrown if the command line is invalid. The message gives the reason. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";
}

/** Resources for commands. Each one is opened only if a command uses it. */
export interface Tools {
  /**
   * A client for the console. Errors: CommandError if no platform is running,
   * there is no operator token, or `--url` is not a URL; SettingsError.
   */
  readonly client: ConsoleHostClient;
  /** The settings. Errors: SettingsError. */
  readonly settings: Settings;
}

/** The result of a command. */
export interface Output {
  readonly text: string;
  /** The value to print instead of the text if `--json` is given. */
  readonly value: unknown;
  /** A note to print to standard error. */
  readonly note?: string;
}

/**
 * Runs a command. The request has the command's values and flags, except
 * `--all`.
 */
export type Run<Request> = (
  tools: Tools,
  request: Request,
  isAll: boolean,
) => Promise<Output>;

/** Returns output that consists of a value and the text to print for it. */
export function show(value: unknown, text: string | number): Output {
  return { value, text: String(text) };
}

type Method<Request, Response> = (
  client: ConsoleHostClient,
) => (request: Request) => Promise<Response>;

/**
 * Returns a command that calls a method. As JSON, it prints the response, or the
 * only object or list in it.
 */
export const send =
  <Request, Response extends object>(
    method: Method<Request, Response>,
    print: string | ((response: Response) => string | number),
  ): Run<Request> =>
  async ({ client }, request) => {
    const response = await method(client)(request);
    const [value, ...others] = Object.values(response);
    const isAlone = others.length === 0 && typeof value === "object";
    return show(
      isAlone ? value : response,
      typeof print === "string" ? print : print(response),
    );
  };

/** Returns a command that prints the ID of what a method creates. */
export const create = <
  Request,
  Key extends string,
  Made extends { readonly id: number },
>(
  method: Method<Request, Readonly<Record<Key, Made>>>,
  key: Key,
): Run<Request> => send(method, (response) => response[key].id);

/** Returns a command that prints a list that fits in one response. */
export const table = <Request, Key extends string, Row extends object>(
  method: Method<Request, Readonly<Record<Key, readonly Row[]>>>,
  key: Key,
): Run<Request> => send(method, (response) => printRows(response[key]));

/** The maximum number of entries per page. */
const size = 200;

/** A page of a list, whose entries have the given key. */
type PageOf<Key extends string, Item> = Readonly<
  Record<Key, readonly Item[]>
> & { readonly next?: string };

/** Reads the first page of a list, or the whole list. */
export async function readPages<Key extends string, Row>(
  read: (page: Page) => Promise<PageOf<Key, Row>>,
  key: Key,
  isAll: boolean,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const part = await read({
      size,
      ...(next !== undefined && { after: next }),
    });
    rows.push(...part[key]);
    next = part.next;
  } while (next !== undefined && isAll);
  return { rows, isCut: next !== undefined };
}

/** Returns a command that prints the first page of a list, or the whole list. */
export const list =
  <Request, Key extends string, Row extends object>(
    method: Method<Request & { readonly page: Page }, PageOf<Key, Row>>,
    key: Key,
  ): Run<Request> =>
  async ({ client }, request, isAll) => {
    const read = (page: Page) => method(client)({ ...request, page });
    const { isCut, rows } = await readPages(read, key, isAll);
    const note = `only the first ${size} entries are listed; use --all to list all of them`;
    return {
      ...show(rows, printRows(rows)),
      ...(isCut && { note }),
    };
  };
