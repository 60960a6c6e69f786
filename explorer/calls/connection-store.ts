import type {
  ExplorerData,
  HostData,
} from "../../generator/4-emit/docs/explorer-data.js";
import { addressKey, type Connection } from "./request.js";

/** Where a receiver is while it is being written. */
const receiverAddress = "http://localhost:8080/webhook";

/** Where the page stands. */
export type Place = Pick<Location, "origin" | "pathname" | "protocol">;

/** What of the tab's storage is used. */
export type TabStorage = Pick<Storage, "getItem" | "removeItem" | "setItem">;

/**
 * What the user fills in once for all methods. It stays in memory, unless the
 * user wants it kept until the tab is closed; it never gets into an address.
 */
export class ConnectionStore implements Connection {
  readonly addresses: Map<string, string>;
  readonly parameters: Map<string, string>;
  readonly credentials = new Map<string, string>();
  /** Whether snippets have keys written out. */
  showsKeys = false;
  /** Name of the language of snippets. */
  language = "curl";
  #isKept = false;
  readonly #storage: TabStorage | null;
  readonly #key: string;

  constructor(data: ExplorerData, place: Place, storage: TabStorage | null) {
    this.#storage = storage;
    this.#key = `ridl-explorer ${place.pathname}`;
    this.addresses = new Map(
      data.hosts.flatMap((host) => [
        [host.name, firstAddress(host, place)],
        ...host.services
          .filter(({ isOutbound }) => isOutbound)
          .map((service): [string, string] => [
            addressKey({ host, service }),
            receiverAddress,
          ]),
      ]),
    );
    this.parameters = new Map(data.parameters);
    this.#restore();
  }

  /** Whether all this is kept until the tab is closed. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Begins to keep it, or forgets what was kept. */
  keep(isKept: boolean): void {
    this.#isKept = isKept;
    if (isKept) this.save();
    else attempt(() => this.#storage?.removeItem(this.#key));
  }

  /** To be called after a change. */
  save(): void {
    if (!this.#isKept) return;
    const text = JSON.stringify({
      addresses: [...this.addresses],
      parameters: [...this.parameters],
      credentials: [...this.credentials],
    });
    attempt(() => this.#storage?.setItem(this.#key, text));
  }

  #restore(): void {
    attempt(() => {
      const text = this.#storage?.getItem(this.#key);
      if (typeof text !== "string") return;
      const kept: Readonly<Record<string, unknown>> = Object(JSON.parse(text));
      for (const part of ["addresses", "parameters", "credentials"] as const) {
        for (const [name, value] of pairsOf(kept[part])) {
          this[part].set(name, value);
        }
      }
      this.#isKept = true;
    });
  }
}

/** Storage may be switched off, and then throws. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing is kept, then.
  }
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(value)) return [];
  return value.map(([name, text]) => [String(name), String(text)]);
}

function firstAddress({ address = "/" }: HostData, place: Place): string {
  if (!address.startsWith("/")) return address;
  const isServed = place.protocol.startsWith("http");
  return isServed ? (place.origin + address).replace(/\/$/u, "") : "";
}
