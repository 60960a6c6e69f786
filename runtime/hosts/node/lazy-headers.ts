import { real, standIn } from "./stand-in.js";

/** Headers as a host gives them, by lower-case name. */
export interface HeaderSource {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Value of one, null when it is absent. Names ignore case. */
  header(name: string): string | null;
}

/** The headers of a request; web-standard ones are made only to list or change. */
export interface LazyHeaders extends Headers {}

/** See the interface. */
export class LazyHeaders {
  readonly #source: HeaderSource;
  #real: Headers | null = null;

  constructor(source: HeaderSource) {
    this.#source = source;
  }

  /** Whether they are still those of the host. */
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

  /** From now on they are these. */
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
