import type {
  Contract,
  Method,
  Service,
  TypeDeclaration,
  TypeReference,
  Union,
} from "../../ir/contract.js";
import { pathParameters } from "../../ir/path-template.js";
import { upperFirst, withoutShouting, wordsOf } from "../names/casing.js";
import { NamePool } from "../names/name-pool.js";
import type { NameRules, Role } from "../names/name-rules.js";
import { hasPages } from "./view-paging.js";
import type { Identifier } from "./type-view.js";

/** The identifiers of everything in a contract that has a name. */
export interface SettledNames {
  /** Returns the identifier of a package, by the last part of its name. */
  ofPackage(name: string): Identifier;
  /**
   * Returns the identifier of a host, service, method, message, field, enum
   * member or credential.
   */
  of(named: object): Identifier;
  /** Returns the identifier of what reads the pages of a service, or null. */
  ofPages(service: Service): Identifier | null;
  /** Returns the identifier of a declared type. */
  ofType(name: string): Identifier;
  /** Returns the identifiers of what a union declares. */
  ofUnion(union: Union): UnionNames;
  /** Returns the identifier of an error. */
  ofError(name: string): Identifier;
  /** Returns the identifier of a parameter of a base path. */
  ofParameter(name: string): Identifier;
}

/** Identifiers of what a union declares, as those of the members of an enum. */
export interface UnionNames {
  /** Types that contain a value of one variant. */
  readonly variants: readonly Identifier[];
  /** The variants within the union, without its name. */
  readonly shortVariants: readonly Identifier[];
  /** A type for variants that are not known. */
  readonly unknown: Identifier;
  /** A function that reads a value. */
  readonly parser: Identifier;
}

/**
 * Chooses an identifier for everything in a contract that has a name. It is
 * unique in its scope and none of the reserved words.
 */
export function settleNames(
  contract: Contract,
  rules: NameRules,
): SettledNames {
  const names = new Settler(rules);
  names.settle(contract);
  return names;
}

/** Writes a name in snake case: `tokenIDs` becomes `token_ids`. */
export function snakeCase(name: string): string {
  return words(name)
    .map((word) => word.toLowerCase())
    .join("_");
}

/** Splits a name into words. Unlike {@link wordsOf}, it keeps `IDs` and `IPv4`. */
function words(name: string): readonly string[] {
  const parts = name.split(/(\p{Lu}{2,}v\p{N}+)/u);
  return parts.flatMap((part, index) =>
    index % 2 === 1
      ? [part]
      : wordsOf(
          part.replace(
            /(\p{Lu})(\p{Lu}+)s(?!\p{Ll})/gu,
            (_, first: string, rest: string) =>
              `${first}${rest.toLowerCase()}s`,
          ),
        ),
  );
}

class Settler implements SettledNames {
  readonly #rules: NameRules;
  readonly #initialisms: ReadonlyMap<string, string>;
  readonly #reserved = new Map<Role, ReadonlySet<string>>();
  readonly #shared: Pools = new Map();
  readonly #given = new Map<object, Identifier>();
  readonly #pages = new Map<Service, Identifier>();
  readonly #types = new Map<string, Identifier>();
  readonly #unions = new Map<Union, UnionNames>();
  readonly #errors = new Map<string, Identifier>();
  readonly #parameters = new Map<string, Identifier>();

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.#initialisms = new Map(
      rules.initialisms.flatMap((word) => [
        [word.toLowerCase(), word],
        [`${word.toLowerCase()}s`, `${word}s`],
      ]),
    );
  }

  ofPackage(name: string): Identifier {
    // Modules of Go can end with a major version.
    const parts = name.replace(/(?<=.)\/v[0-9]+$/u, "").split("/");
    return this.#form("package", "", parts.at(-1) ?? "");
  }

  of(named: object): Identifier {
    return this.#given.get(named) ?? "_";
  }

  ofPages(service: Service): Identifier | null {
    return this.#pages.get(service) ?? null;
  }

  ofType(name: string): Identifier {
    return this.#types.get(name) ?? "_";
  }

  ofUnion(union: Union): UnionNames {
    return (
      this.#unions.get(union) ?? {
        variants: [],
        shortVariants: [],
        unknown: "_",
        parser: "_",
      }
    );
  }

  ofError(name: string): Identifier {
    return this.#errors.get(name) ?? "_";
  }

  ofParameter(name: string): Identifier {
    return this.#parameters.get(name) ?? "_";
  }

  settle(contract: Contract): void {
    const { credentials, errors, hosts, types } = contract;
    const all: Pools = new Map();
    for (const { name } of types) {
      this.#types.set(name, this.#claim("type", all, "", name));
    }
    for (const { name } of errors) {
      this.#errors.set(name, this.#claim("error", all, "", name));
    }
    for (const type of types) this.#settleMembers(type);
    this.#settleEach("credential", credentials);
    this.#settleEach("host", hosts);
    for (const { basePath, services } of hosts) {
      const parameters: Pools = new Map();
      for (const name of pathParameters(basePath)) {
        if (this.#parameters.has(name)) continue;
        const claimed = this.#claim("parameter", parameters, "", name);
        this.#parameters.set(name, claimed);
      }
      for (const service of services) {
        const owner = this.#claim("service", all, "", service.name);
        this.#given.set(service, owner);
        this.#settleEach("method", service.methods, owner);
        for (const method of service.methods) {
          this.#settleMessage(method, "request", all);
          this.#settleMessage(method, "response", all);
        }
      }
    }
    // All names in RIDL come first.
    for (const service of hosts.flatMap(({ services }) => services)) {
      if (!hasPages(contract, service.methods)) continue;
      const claimed = this.#claim("pages", all, "", this.of(service));
      this.#pages.set(service, claimed);
    }
  }

  #settleMembers(type: TypeDeclaration): void {
    switch (type.kind) {
      case "struct":
        this.#settleEach("field", type.fields);
        return;
      case "enum":
        this.#settleEach("member", type.members, this.ofType(type.name));
        return;
      case "union": {
        const pools: Pools = new Map();
        const shorts = new NamePool(this.#reservedFor("member"));
        const claim = (name: string): Identifier =>
          this.#claim("member", pools, this.ofType(type.name), name);
        this.#unions.set(type, {
          parser: claim("from_JSON"),
          unknown: claim("unknown"),
          variants: type.variants.map((each) => claim(nameOf(each))),
          shortVariants: type.variants.map((each) =>
            shorts.claimForms(["{}"], this.#form("member", "", nameOf(each))),
          ),
        });
        return;
      }
      case "alias":
        return;
    }
  }

  #settleMessage(
    method: Method,
    side: "request" | "response",
    pools: Pools,
  ): void {
    const message = method[side];
    // The fields of a struct are settled with the struct.
    if (!message.fields.every((field) => this.#given.has(field))) {
      this.#settleEach("field", message.fields);
    }
    if (message.struct !== null) {
      this.#given.set(message, this.ofType(message.struct));
      return;
    }
    const name = `${method.name}${upperFirst(side)}`;
    const alternative = `${method.service}/${name}`;
    this.#given.set(
      message,
      this.#claim("message", pools, "", name, alternative),
    );
  }

  #settleEach(
    role: Role,
    items: readonly { readonly name: string }[],
    owner = "",
  ): void {
    const pools: Pools = new Map();
    for (const item of items) {
      this.#given.set(item, this.#claim(role, pools, owner, item.name));
    }
  }

  #claim(
    role: Role,
    own: Pools,
    owner: string,
    name: string,
    alternative?: string,
  ): Identifier {
    const { case: form, declares, scope } = this.#rules.roles[role];
    const isJoined =
      (role === "service" || role === "method") && form === "snake";
    const pools = scope === null ? own : this.#shared;
    const pool = pools.get(scope ?? role) ?? new NamePool(new Set());
    pools.set(scope ?? role, pool);
    const others =
      alternative === undefined ? [] : [this.#form(role, owner, alternative)];
    const reserved = this.#reservedFor(role);
    for (;;) {
      const claimed = pool.claimForms(
        declares,
        this.#form(role, owner, name),
        ...others,
      );
      // Sets derive names of types from those of services and methods, in which `a1` and
      // `a_1` are the same.
      const joined = isJoined ? claimed.replace(/_(?=[0-9])/gu, "") : claimed;
      const isTaken = joined !== claimed && pool.has(joined);
      // A number can make a name a reserved word.
      if (isTaken || reserved.has(claimed)) continue;
      if (joined !== claimed) pool.claim(joined);
      return claimed;
    }
  }

  #reservedFor(role: Role): ReadonlySet<string> {
    const known = this.#reserved.get(role);
    if (known !== undefined) return known;
    const lists = this.#rules.roles[role].reserved;
    const all = new Set(lists.flatMap((list) => this.#rules.words[list] ?? []));
    this.#reserved.set(role, all);
    return all;
  }

  /** Returns a name in the form of its role. It may be in use. */
  #form(role: Role, owner: string, name: string): string {
    const { isQualified, prefix, suffix } = this.#rules.roles[role];
    const cased = this.#cased(role, name).replace(/[^A-Za-z0-9_]/gu, "");
    const whole = `${isQualified ? owner : ""}${prefix}${cased}${suffix}`;
    const valid = /^[A-Za-z_]/u.test(whole)
      ? whole
      : `${this.#rules.start}${whole}`;
    const reserved = this.#reservedFor(role);
    let free = valid;
    while (reserved.has(free)) free += "_";
    return free;
  }

  #cased(role: Role, name: string): string {
    switch (this.#rules.roles[role].case) {
      case "keep":
        return name;
      case "snake":
        return snakeCase(name);
      case "upper":
        return snakeCase(name).toUpperCase();
      case "flat":
        return words(name).join("").toLowerCase();
      case "camel": {
        const [first = "", ...rest] = words(withoutShouting(name));
        return first.toLowerCase() + rest.map(this.#capitalized).join("");
      }
      case "pascal":
        return words(withoutShouting(name)).map(this.#capitalized).join("");
    }
  }

  readonly #capitalized = (word: string): string =>
    this.#initialisms.get(word.toLowerCase()) ?? upperFirst(word);
}

/** Returns a name for a type, such as `string_list`. */
function nameOf(type: TypeReference): string {
  switch (type.kind) {
    case "scalar":
    case "reference":
      return type.name;
    case "list": {
      const { element } = type;
      const isByte = element.kind === "scalar" && element.name === "byte";
      return isByte ? "bytes" : `${nameOf(element)}_list`;
    }
    case "map":
      return `${nameOf(type.value)}_map`;
  }
}

/** The names in use, by role or by scope. */
type Pools = Map<string, NamePool>;
