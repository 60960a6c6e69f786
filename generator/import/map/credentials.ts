import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { toComment } from "./comments.js";
import type { ErrorMapper } from "./errors.js";
import { toPascal } from "./names.js";
import type { Types } from "./types.js";

/** A header, and the word before its value. */
interface Place {
  readonly header: string;
  readonly scheme: string | null;
}

/** A header with a credential. */
interface Credential extends Place {
  readonly part: DocumentPart;
  readonly name: string;
}

/** Maps security schemes to credentials, and requirements to `@auth`. */
export class CredentialMapper {
  readonly #types: Types;
  readonly #errors: ErrorMapper;
  readonly #schemes: DocumentPart | null;
  readonly #byScheme = new Map<string, Credential | null>();
  /** The credentials that methods use, by their headers in lower case. */
  readonly #used = new Map<string, Credential>();

  constructor(schemes: DocumentPart | null, types: Types, errors: ErrorMapper) {
    this.#types = types;
    this.#errors = errors;
    this.#schemes = schemes;
  }

  /** Whether a header is a credential, which is no parameter. */
  isHeader(name: string): boolean {
    const schemes = this.#schemes?.entries() ?? [];
    return schemes.some(({ key }) => {
      const part = this.#schemeOf(key);
      const header = part === null ? null : placeOf(part)?.header;
      return header?.toLowerCase() === name.toLowerCase();
    });
  }

  /** Returns the headers that an operation requires. */
  map(security: DocumentPart | null): readonly string[] {
    const all = security?.items() ?? [];
    const [first] = all;
    if (security === null || first === undefined) return [];
    const { notes } = this.#types;
    if (all.some((each) => each.entries().length === 0)) {
      const message = "the credentials are optional";
      if (all.length > 1) notes.add("wire", security, message, "none is sent");
      return [];
    }
    const chosen =
      all.find((each) => each.entries().every(({ key }) => this.#find(key))) ??
      first;
    const sent = this.#describe(chosen);
    if (all.some((each) => this.#describe(each) !== sent)) {
      const message = "callers can choose between credentials";
      const instead = `\`${chosen
        .entries()
        .map(({ key }) => key)
        .join("`, `")}\``;
      notes.add("wire", security, message, `the method requires ${instead}`);
    }
    return chosen.entries().flatMap((requirement) => {
      const scopes = requirement.items();
      if (scopes.length > 0) {
        const message = "RIDL has no scopes";
        notes.add("advice", requirement, message, "they are left out");
      }
      const credential = this.#find(requirement.key);
      if (credential === null) return [];
      const key = credential.header.toLowerCase();
      const known = this.#used.get(key);
      if (known === undefined) this.#used.set(key, credential);
      return (known ?? credential).header;
    });
  }

  /** Returns the same text for requirements that callers meet alike. */
  #describe(requirement: DocumentPart): string {
    const places = requirement.entries().map(({ key }) => {
      const part = this.#schemeOf(key);
      const place = part && placeOf(part);
      return place ? `${place.header}: ${place.scheme}`.toLowerCase() : key;
    });
    return [...new Set(places)].sort().join("\n");
  }

  #schemeOf(name: string): DocumentPart | null {
    const written = this.#schemes?.get(name) ?? null;
    return written && this.#types.library.resolve(written);
  }

  #find(name: string): Credential | null {
    const known = this.#byScheme.get(name);
    if (known !== undefined) return known;
    const part = this.#schemeOf(name);
    const credential = part && this.#read(part, name);
    this.#byScheme.set(name, credential);
    return credential;
  }

  #read(part: DocumentPart, name: string): Credential | null {
    noteKeywords(part, "securityScheme", this.#types.notes);
    const place = placeOf(part);
    if (place !== null) return this.#isNew({ ...place, part, name });
    const type = part.textOf("type") ?? "";
    const message = `RIDL has no credentials of type \`${type}\` outside of headers`;
    this.#types.notes.add("wire", part, message, "it is neither sent nor read");
    return null;
  }

  /** A header has one credential, and its name must be valid. */
  #isNew(credential: Credential): Credential | null {
    const { header, scheme, part } = credential;
    const { notes } = this.#types;
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u.test(header)) {
      const message = `\`${header}\` is not the name of a header`;
      notes.add("wire", part, message, "the credential is left out");
      return null;
    }
    const other = [...this.#byScheme.values()].find(
      (each) => each?.header.toLowerCase() === header.toLowerCase(),
    );
    if (!other || other.scheme === scheme) return other ?? credential;
    const message = `the header \`${header}\` has two credentials`;
    notes.add("wire", part, message, `\`${other.name}\` is used`);
    return other;
  }

  /** Declares the credentials that methods use. */
  declare(): void {
    for (const { header, scheme, part, name } of this.#used.values()) {
      const error = this.#errors.unauthorized();
      const alias = this.#types.declareAlias(part, toPascal(name) || "Key", {
        type: "string",
        metadata: [
          { key: "header", value: header },
          ...(scheme === null ? [] : [{ key: "scheme", value: scheme }]),
          { key: "error", value: error },
        ],
      });
      const declared = this.#types.find(alias);
      const text = part.textOf("description") ?? "Identifies the caller.";
      if (declared) declared.docs = toComment(text);
    }
  }
}

/** Returns where a security scheme is sent, or null if it is not a header. */
function placeOf(part: DocumentPart): Place | null {
  const type = part.textOf("type");
  const scheme = (part.textOf("scheme") ?? "").toLowerCase();
  if (type === "apiKey" && part.textOf("in") === "header") {
    return { header: part.textOf("name") ?? "", scheme: null };
  }
  if (type === "oauth2" || type === "openIdConnect" || scheme === "bearer") {
    return { header: "Authorization", scheme: "Bearer" };
  }
  return scheme === "basic"
    ? { header: "Authorization", scheme: "Basic" }
    : null;
}
