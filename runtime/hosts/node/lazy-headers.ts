import { real, standIn } from "./stand-in.js";

/** Headers of a host, by lower-case name. */
export interface HeaderSource {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Returns a value, or null if it is absent. Names ignore case. */
  header(name: string): string | null;
}

/**
 * The headers of a request. Web-standard headers are only created to be listed
 * or changed.
 */
export interface LazyHeaders extends Headers {}

/** See the interface. */
export class LazyHeaders {
  readonly #source: HeaderSource;
  #real: Headers | null = null;

  constructor(source: HeaderSource) {
    this.#source = source;
  }

  /** Whether they are unchanged since the host provided them. */
  get isUntouched(): boolean {
    return this.#real === null;
  }

  get(name: string): string | null {
    return this.#real === null
      ? this.#source.header(name)
      : this.#real.get(name);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** From now on, use these headers. */
  follow(headers: Headers): void {
    this.#real = headers;
  }

  [real](): Headers {
    this.#real ??= toHeaders(this.#source.headers);
    return this.#real;
  }

  static {
    standIn(this.prototype, Headers.prototype);
  }
}

function toHeaders(source: HeaderSource["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    // In HTTP/2, they include pseudo-headers such as `:path`.
    if (value === undefined || name.startsWith(":")) continue;
    for (const each of [value].flat()) headers.append(name, each);
  }
  return headers;
}
