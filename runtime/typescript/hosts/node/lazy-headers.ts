import { real, standIn } from "./stand-in.js";

/** A host's headers by lowercase name. */
export interface HeaderSource {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Returns a header, or null if it is absent. Names are case-insensitive. */
  header(name: string): string | null;
}

/**
 * The headers of a request. A web-standard `Headers` object is created only to
 * list or change them.
 */
export interface LazyHeaders extends Headers {}

/** Implements the interface above. */
export class LazyHeaders {
  readonly #source: HeaderSource;
  #real: Headers | null = null;

  constructor(source: HeaderSource) {
    this.#source = source;
  }

  /** Whether the headers have been neither listed nor changed. */
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

  /** Uses these headers instead of the host's from now on. */
  follow(headers: Headers): void {
    this.#real = headers;
  }

  [real](): Headers {
    this.#real ??= toHeaders(this.#source);
    return this.#real;
  }

  static {
    standIn(this.prototype, Headers.prototype);
  }
}

function toHeaders(source: HeaderSource): Headers {
  const headers = new Headers();
  for (const name of Object.keys(source.headers)) {
    // In HTTP/2, the headers include pseudo-headers such as `:path`.
    const value = name.startsWith(":") ? null : source.header(name);
    if (value !== null) headers.append(name, value);
  }
  return headers;
}
