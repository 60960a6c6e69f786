import type {
  ExplorerData,
  HostData,
} from "../../../generator/4-emit/docs/explorer-data.js";
import type { PageStorage } from "./page-storage.js";
import { addressKey, type Connection } from "./request.js";

/** Default address of a receiver, for development. */
const receiverAddress = "http://localhost:8080/webhook";

/** The location of the page. */
export type PageLocation = Pick<Location, "origin" | "protocol">;

const part = "connection";

/**
 * The values that the user enters once for all methods. They are kept until the
 * tab is closed or, if the user prefers, until the page is closed. They never
 * become part of a link.
 */
export class ConnectionStore implements Connection {
  readonly addresses: Map<string, string>;
  readonly parameters: Map<string, string>;
  readonly credentials = new Map<string, string>();
  /** Whether snippets contain the values of keys. */
  showsKeys = false;
  /** Language of snippets. */
  language = "curl";
  #isKept = true;
  readonly #storage: PageStorage;

  constructor(data: ExplorerData, place: PageLocation, storage: PageStorage) {
    this.#storage = storage;
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

  /** Whether the values are kept until the tab is closed. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Starts keeping the values, or deletes the stored ones. */
  keep(isKept: boolean): void {
    this.#isKept = isKept;
    if (isKept) this.save();
    else this.#write({ isForgotten: true });
  }

  /** Stores the values. Call it after every change. */
  save(): void {
    if (!this.#isKept) return;
    this.#write({
      addresses: [...this.addresses],
      parameters: [...this.parameters],
      credentials: [...this.credentials],
      language: this.language,
    });
  }

  #write(kept: object): void {
    this.#storage.write(part, kept);
  }

  #restore(): void {
    const kept: Readonly<Record<string, unknown>> = Object(
      this.#storage.read(part),
    );
    for (const each of ["addresses", "parameters", "credentials"] as const) {
      for (const [name, value] of pairsOf(kept[each])) {
        this[each].set(name, value);
      }
    }
    this.language = String(kept["language"] ?? this.language);
    this.#isKept = kept["isForgotten"] !== true;
  }
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(value)) return [];
  return value.map(([name, text]) => [String(name), String(text)]);
}

function firstAddress(
  { address = "/" }: HostData,
  place: PageLocation,
): string {
  if (!address.startsWith("/")) return address;
  const isServed = place.protocol.startsWith("http");
  return isServed ? (place.origin + address).replace(/\/$/u, "") : "";
}
