import {
  isToken,
  noCredential,
} from "../../../generator/2-check/program/credentials.js";
import type { CredentialPlace } from "../../../generator/ir/contract.js";
import {
  foldKey,
  keyOf,
  placeNamed,
} from "../../../generator/ir/credentials-of.js";
import { noteKeywords } from "../notes/note-keywords.js";
import type { DocumentPart } from "../read/document-part.js";
import { pathsIn } from "../read/operations.js";
import { toComment } from "../model/comments.js";
import type { ErrorMapper } from "./errors.js";
import { toPascal } from "../model/names.js";
import type { Types } from "./types/types.js";

/** Where a credential is sent, and the word before its value. */
interface Place {
  readonly place: CredentialPlace;
  readonly parameter: string;
  readonly scheme: string | null;
}

/** A credential of the document. */
interface Credential extends Place {
  readonly part: DocumentPart;
  readonly name: string;
}

/** Maps security schemes to credentials, and requirements to `@auth`. */
export class CredentialMapper {
  readonly #types: Types;
  readonly #errors: ErrorMapper;
  readonly #schemes: DocumentPart | null;
  /** Known credentials by the places of their schemes. */
  readonly #byScheme = new Map<string, Credential | null>();
  /** The credentials that methods use, by their folded keys. */
  readonly #used = new Map<string, Credential>();

  /** Folded keys of the credentials that the document requires. */
  readonly #required: ReadonlySet<string>;

  /** Folded keys of the headers whose value one of the credentials has as a whole. */
  readonly #whole: ReadonlySet<string>;

  constructor(document: DocumentPart, types: Types, errors: ErrorMapper) {
    this.#types = types;
    this.#errors = errors;
    const { library } = types;
    const schemes = document.get("components")?.get("securitySchemes");
    this.#schemes = schemes ? library.resolve(schemes) : null;
    const operations = pathsIn(document, library).flatMap((path) =>
      path.operations.map(({ part }) => part),
    );
    const required = [document, ...operations]
      .flatMap((each) => each.get("security")?.items() ?? [])
      .flatMap((each) => each.entries());
    this.#required = new Set(
      required.flatMap((each) => {
        const place = this.#ownPlaceOf(each);
        return place === null ? [] : foldKey(keyOf(place));
      }),
    );
    this.#whole = new Set(this.#findWhole(document, operations));
  }

  /** Returns the folded keys of {@link #whole}. */
  #findWhole(
    document: DocumentPart,
    operations: readonly DocumentPart[],
  ): readonly string[] {
    return operations
      .flatMap((operation) => {
        const own = operation.get("security");
        return (own ?? document.get("security"))?.items() ?? [];
      })
      .map((each) => each.entries().map((entry) => this.#ownPlaceOf(entry)))
      .flatMap((places) => {
        const keys = places.map((each) => each && foldKey(keyOf(each)));
        // No request can have two values of a header.
        const isUsable = new Set(keys).size === keys.length;
        return isUsable && !keys.includes(null) ? places : [];
      })
      .flatMap((each) => (each?.scheme === null ? [foldKey(keyOf(each))] : []));
  }

  /**
   * Returns `@auth` for an operation, unless it has none. Methods whose calls have
   * a key require credentials.
   */
  map(security: DocumentPart | null, isKeyed: boolean): readonly string[] {
    if (security === null) return [];
    const { notes, library } = this.#types;
    const listed = security.items();
    const isList = security.node.kind === "list";
    if (!isList || listed.some(({ node }) => node.kind !== "map")) {
      library.report("`security` is not a list of objects", security.location);
    }
    const all = listed.filter((each) => each.entries().length > 0);
    if (all.length === 0) return [];
    const isOptional = all.length < listed.length && !isKeyed;
    if (isKeyed && all.length < listed.length) {
      const message = "the credentials of a call with a key are optional";
      notes.add("wire", security, message, "the method requires them");
    }
    const chosen = this.#choose(all);
    const texts = new Set(
      chosen.map((each) => this.#use(each).join(",")).filter(Boolean),
    );
    const sent = new Set(chosen.map((each) => this.#describe(each)));
    if (all.some((each) => !sent.has(this.#describe(each)))) {
      const message = "callers can choose between credentials";
      const keys = chosen.map((each) =>
        each
          .entries()
          .map(({ key }) => `\`${key}\``)
          .join(", "),
      );
      const verb = isOptional ? "accepts" : "requires";
      const instead = `the method ${verb} ${keys.join(" or ")}`;
      notes.add("wire", security, message, instead);
    }
    if (texts.size === 0) return [];
    const keys = [...texts, ...(isOptional ? [noCredential] : [])];
    return [`@auth:"${keys.join("|")}"`];
  }

  /** Returns the alternatives that one contract can declare, at least one. */
  #choose(all: readonly DocumentPart[]): readonly DocumentPart[] {
    const usable = all.filter((each) =>
      each.entries().every((entry) => this.#placeOf(entry) !== null),
    );
    const places = new Map<string, string>();
    const chosen = usable.filter((each) => {
      const added = each.entries().map((entry) => {
        const place = this.#placeOf(entry);
        if (place === null) return ["", ""] as const;
        // A method names only one cookie, and a header has one scheme.
        return place.place === "cookie"
          ? (["cookie", place.parameter] as const)
          : ([foldKey(keyOf(place)), place.scheme ?? ""] as const);
      });
      const taken = new Map([...places, ...added]);
      const fits = [...places, ...added].every(
        ([key, value]) => taken.get(key) === value,
      );
      if (fits) for (const [key, value] of added) places.set(key, value);
      return fits;
    });
    return chosen.length > 0 ? chosen : all.slice(0, 1);
  }

  /** Returns the keys of a requirement, and declares its credentials. */
  #use(requirement: DocumentPart): readonly string[] {
    const keys = requirement.entries().flatMap((each) => {
      const scopes = each.items();
      if (scopes.length > 0) {
        const message = "RIDL has no scopes";
        this.#types.notes.add("advice", each, message, "they are left out");
      }
      const credential = this.#find(each);
      if (credential === null) return [];
      const folded = foldKey(keyOf(credential));
      const known = this.#used.get(folded);
      if (known === undefined) this.#used.set(folded, credential);
      return keyOf(known ?? credential);
    });
    return [...new Set(keys)];
  }

  /** Returns where the document says that a credential is. */
  #ownPlaceOf(requirement: DocumentPart): Place | null {
    const part = this.#schemeOf(requirement);
    const place = part && placeOf(part);
    return place && isValid(place) ? place : null;
  }

  #placeOf(requirement: DocumentPart): Place | null {
    const part = this.#schemeOf(requirement);
    const place = part && this.#placeIn(part);
    return place && isValid(place) ? place : null;
  }

  /**
   * Returns where a security scheme is sent. If another credential is the whole
   * value of the same header, callers pass the scheme with this one, too.
   */
  #placeIn(part: DocumentPart): Place | null {
    const place = placeOf(part);
    const isWhole = place !== null && this.#whole.has(foldKey(keyOf(place)));
    return isWhole ? { ...place, scheme: null } : place;
  }

  /** Whether a parameter is a required credential, and so cannot be a field. */
  isCredential(place: string, parameter: string): boolean {
    const known = placeNamed(place);
    return (
      known !== undefined &&
      this.#required.has(foldKey(keyOf({ parameter, place: known })))
    );
  }

  /** Returns the same text for requirements that callers meet alike. */
  #describe(requirement: DocumentPart): string {
    const places = requirement.entries().map((each) => {
      const part = this.#schemeOf(each);
      const place = part && this.#placeIn(part);
      return place ? `${foldKey(keyOf(place))} ${place.scheme}` : each.key;
    });
    return [...new Set(places)].sort().join("\n");
  }

  /**
   * Returns the scheme that a requirement names, or whose address is its key.
   * Without an error for an unknown one, methods could be open to all callers.
   */
  #schemeOf(requirement: DocumentPart): DocumentPart | null {
    const { library } = this.#types;
    const { key, location } = requirement;
    const named = this.#schemes?.get(key);
    const isAddress = !named && /[#/.]/u.test(key);
    const part = isAddress
      ? library.follow(requirement, key)
      : named && library.resolve(named);
    if (part && part.textOf("type") !== null) return part;
    return library.report(`there is no security scheme \`${key}\``, location);
  }

  #find(requirement: DocumentPart): Credential | null {
    const part = this.#schemeOf(requirement);
    if (part === null) return null;
    const known = this.#byScheme.get(part.id);
    if (known !== undefined) return known;
    const isNamed = this.#schemes?.get(requirement.key);
    const credential = this.#read(part, isNamed ? requirement.key : part.key);
    this.#byScheme.set(part.id, credential);
    return credential;
  }

  #read(part: DocumentPart, name: string): Credential | null {
    noteKeywords(part, "securityScheme", this.#types.notes);
    const place = this.#placeIn(part);
    if (place !== null) {
      const { parameter, scheme } = place;
      const own = placeOf(part)?.scheme ?? null;
      if (scheme !== own) {
        const message = `another credential is the whole header \`${parameter}\``;
        const instead = `callers pass \`${own}\` with the value`;
        this.#types.notes.add("wire", part, message, instead);
      }
      return this.#isNew({ ...place, part, name });
    }
    const type = part.textOf("type") ?? "";
    const kind = type === "http" ? (part.textOf("scheme") ?? type) : type;
    const message = `RIDL has no credentials of type \`${kind}\``;
    // Certificates are checked before there is a request.
    const instead =
      type === "mutualTLS"
        ? "methods accept callers without it: require certificates where TLS ends"
        : "methods accept callers without it";
    this.#types.notes.add("wire", part, message, instead);
    return null;
  }

  /** A place has one credential, and its name must be valid. */
  #isNew(credential: Credential): Credential | null {
    const { parameter, place, scheme, part } = credential;
    const { notes } = this.#types;
    if (!isValid(credential)) {
      const what = place === "query" ? "a parameter" : `a ${place}`;
      const message = `\`${parameter}\` is not the name of ${what} in RIDL`;
      notes.add("wire", part, message, "the credential is left out");
      return null;
    }
    const other = [...this.#byScheme.values()].find(
      (each) => each && foldKey(keyOf(each)) === foldKey(keyOf(credential)),
    );
    if (!other || other.scheme === scheme) return other ?? credential;
    const message = `the header \`${parameter}\` has two credentials`;
    notes.add("wire", part, message, `\`${other.name}\` is used`);
    return other;
  }

  /** Declares the credentials that methods use. */
  declare(): void {
    for (const each of this.#used.values()) {
      const { place, parameter, scheme, part, name } = each;
      const error = this.#errors.unauthorized();
      const alias = this.#types.declareAlias(part, toPascal(name) || "Key", {
        type: "string",
        metadata: [
          { key: place, value: parameter },
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

/** Returns where a security scheme is sent, or null if RIDL cannot say it. */
function placeOf(part: DocumentPart): Place | null {
  const type = part.textOf("type");
  const scheme = (part.textOf("scheme") ?? "").toLowerCase();
  if (type === "apiKey") {
    const place = placeNamed(part.textOf("in"));
    const parameter = part.textOf("name") ?? "";
    return place === undefined ? null : { place, parameter, scheme: null };
  }
  const authorization = {
    place: "header",
    parameter: "Authorization",
  } as const;
  if (type === "oauth2" || type === "openIdConnect" || scheme === "bearer") {
    return { ...authorization, scheme: "Bearer" };
  }
  return scheme === "basic" ? { ...authorization, scheme: "Basic" } : null;
}

/** Whether RIDL accepts the name of a place. */
function isValid({ parameter, place }: Place): boolean {
  const reserved = { header: noCredential, query: "request", cookie: null };
  const name = place === "header" ? parameter.toLowerCase() : parameter;
  return isToken(parameter) && name !== reserved[place];
}
