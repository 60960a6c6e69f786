import { createContext, runInContext } from "node:vm";

/** The files of the device, by URI. */
export const files = new Map();

const noBytes =
  "Creating blobs from 'ArrayBuffer' and 'ArrayBufferView' are not supported";

/** A blob whose content only the platform reads. */
class PlatformBlob {
  #content;

  constructor(parts = [], { type = "" } = {}) {
    const contents = Array.from(parts, (part) => {
      if (typeof part === "string") return part;
      if (part instanceof PlatformBlob) return part.#content;
      throw new Error(noBytes);
    });
    this.#content = new Blob(contents, { type });
  }

  get size() {
    return this.#content.size;
  }

  get type() {
    return this.#content.type;
  }

  slice(start = 0, end = this.size, contentType = "") {
    return PlatformBlob.of(this.#content.slice(start, end, contentType));
  }

  /** Turns content of the platform into a blob. */
  static of(content) {
    const blob = new PlatformBlob();
    blob.#content = content;
    return blob;
  }

  /** Returns what the platform sends. */
  static contentOf(value) {
    return value instanceof PlatformBlob ? value.#content : String(value);
  }
}

class PlatformFile extends PlatformBlob {
  constructor(parts, name, options) {
    super(parts, options);
    this.name = name;
  }
}

/** Sends its parts by means of the platform. */
class PlatformForm {
  parts = [];

  append(...part) {
    this.parts.push(part);
  }
}

function bodyOf(body) {
  if (body instanceof PlatformBlob) return PlatformBlob.contentOf(body);
  if (!(body instanceof PlatformForm)) return body;
  const form = new FormData();
  for (const [name, value, file] of body.parts) {
    const content = PlatformBlob.contentOf(value);
    if (typeof content === "string") form.append(name, content);
    else form.append(name, content, file ?? value.name ?? name);
  }
  return form;
}

/** Sends a request of the app. */
async function send(url, { body, headers, method, signal } = {}) {
  const controller = new AbortController();
  if (signal?.aborted) controller.abort();
  signal?.addEventListener("abort", () => controller.abort());
  return fetch(url, {
    ...{ method, headers, body: bodyOf(body) },
    signal: controller.signal,
  });
}

/** A response that has arrived as a whole. */
class PlatformResponse {
  #content;

  constructor(content = null, { headers, status = 200 } = {}) {
    this.#content =
      content instanceof Blob
        ? content
        : new Blob(content === null ? [] : [String(content)]);
    this.headers = new Headers(headers);
    this.ok = status >= 200 && status < 300;
    this.status = status;
  }

  async blob() {
    return PlatformBlob.of(this.#content);
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async text() {
    return this.#content.text();
  }
}

async function platformFetch(url, init) {
  const file = files.get(url);
  if (file !== undefined) return new PlatformResponse(file);
  try {
    const response = await send(url, init);
    return new PlatformResponse(await response.blob(), response);
  } catch {
    throw new TypeError("Network request failed");
  }
}

/** A request whose signal is not one of Node. */
class PlatformRequest extends Request {
  constructor(url, { signal: _, ...init } = {}) {
    super(url, init);
  }
}

/** Only reads files of the device. */
class PlatformHttpRequest {
  #url = "";

  open(_method, url) {
    this.#url = url;
  }

  addEventListener(type, listener) {
    this[`on${type}`] = listener;
  }

  send() {
    const file = files.get(this.#url);
    const isBlob = this.responseType === "blob";
    queueMicrotask(() => {
      this.readyState = 4;
      this.status = file === undefined ? 0 : 200;
      this.response = file && isBlob ? PlatformBlob.of(file) : null;
      this.onreadystatechange?.();
      if (file === undefined) this.onerror?.();
      else this.onload?.();
      this.onloadend?.();
    });
  }
}

/** Has neither `reason` nor `throwIfAborted`, nor static functions. */
class PlatformSignal {
  aborted = false;
  listeners = new Set();

  addEventListener(_type, listener) {
    this.listeners.add(listener);
  }

  removeEventListener(_type, listener) {
    this.listeners.delete(listener);
  }
}

class PlatformController {
  signal = new PlatformSignal();

  abort() {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    for (const listener of [...this.signal.listeners]) listener();
  }
}

/** The packages of the app. */
export const packages = {
  "expo/fetch": {
    /** Returns a response as soon as it begins. Reads no files. */
    async fetch(url, init) {
      const response = await send(url, init);
      const fail = () => Promise.reject(new Error(noBytes));
      return Object.defineProperty(response, "blob", { value: fail });
    },
  },
};

/** Opens a realm with the globals of an app of Expo 55. */
export function openRealm() {
  const context = createContext({
    ...{ AbortController: PlatformController, AbortSignal: PlatformSignal },
    ...{ Blob: PlatformBlob, File: PlatformFile, FormData: PlatformForm },
    ...{ Headers, Request: PlatformRequest, Response: PlatformResponse },
    ...{ XMLHttpRequest: PlatformHttpRequest, fetch: platformFetch },
    ...{ TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa },
    ...{ clearInterval, clearTimeout, setInterval, setTimeout },
    ...{ console, performance, queueMicrotask },
  });
  // Some versions of Hermes ignore the custom `instanceof` of classes.
  runInContext(
    `{
      const native = Symbol;
      globalThis.Symbol = Object.defineProperties((text) => native(text), {
        ...Object.getOwnPropertyDescriptors(native),
        hasInstance: { value: native("hasInstance") },
      });
    }`,
    context,
  );
  return context;
}
