import type { ExplorerData } from "../../../generator/4-emit/docs/explorer-data.js";

/** The part of the storage API that the page uses. */
export type TabStorage = Pick<Storage, "getItem" | "setItem">;

/** What a page keeps until its tab is closed. */
export interface PageStorage {
  /** Returns a value, or null if it was not kept. */
  read(part: string): unknown;
  /** Keeps a value, unless the storage is disabled or full. */
  write(part: string, value: unknown): void;
}

/**
 * Opens the storage of a page. Pages of contracts with other hosts or services, which
 * can be at the same address at other times, have a storage of their own.
 *
 * Input: a function that returns the storage of the tab, or throws if the browser
 * forbids that.
 */
export function openPageStorage(
  { hosts }: ExplorerData,
  pathname: string,
  open: () => TabStorage,
): PageStorage {
  const targets = hosts.map(({ address, name, services }) => [
    name,
    address,
    services.map((each) => each.name),
  ]);
  const keyOf = (part: string): string =>
    `ridl-explorer-${part} ${pathname}${JSON.stringify(targets)}`;
  return {
    read: (part) => {
      try {
        return JSON.parse(open().getItem(keyOf(part)) ?? "null");
      } catch {
        return null;
      }
    },
    write: (part, value) => {
      try {
        open().setItem(keyOf(part), JSON.stringify(value));
      } catch {
        // Nothing is kept.
      }
    },
  };
}
