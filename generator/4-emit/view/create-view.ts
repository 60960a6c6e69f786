import { typesWithin } from "../../values/reachable-types.js";
import { unionTitle } from "../../values/union-title.js";
import { variantsOf } from "../../values/variants.js";
import { withoutInvisible } from "../emitter/invisible.js";
import type {
  Contract,
  Credential,
  Docs,
  Field,
  Host,
  Message,
  Method,
  Service,
  TypeDeclaration,
} from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";
import { pathParameters } from "../../ir/path-parameters.js";
import { omitUnused } from "../../values/filter-contract.js";
import {
  type ContractValues,
  type ResolvedValue,
  valuesOf,
} from "../../values/value.js";
import { coreTypesOf } from "./core-types.js";
import { checksOf, limitsOf, listedIn, tagOf } from "./view-limits.js";
import { type Anchors, createAnchors } from "./anchors.js";
import { defaultNameRules } from "../names/name-rules.js";
import { settleNames, type SettledNames } from "./settle-names.js";
import type {
  ContractView,
  CredentialView,
  DeprecatedView,
  DocsView,
  FactView,
  FieldView,
  HostContractView,
  HostView,
  MessageView,
  MethodErrorsView,
  MethodView,
  NameView,
  PackageNameView,
  RouteView,
  SegmentView,
  ServiceView,
  TypeView,
  NamedTypeView,
  ValueView,
} from "./view.js";

/** Version of the view, in its property `view`. */
export const viewVersion = 1;

/** What a view depends on besides the contract. */
export interface ViewOptions {
  /** Identifiers. Default: names are as in RIDL. */
  readonly names?: SettledNames;
  /** Default: the name and version of the first host. */
  readonly package?: PackageOptions;
}

/** The name and version of a package of generated code. */
export interface PackageOptions {
  /** E.g. `acme-shop`. Default: the name of the first host. */
  readonly name?: string;
  /** Default: the version of the first host. */
  readonly version?: string;
}

/** Creates the view of a contract, with all of its hosts. */
export function createContractView(
  contract: Contract,
  options: ViewOptions = {},
): ContractView {
  const { hosts } = contract;
  const anchors = createAnchors(contract, hosts);
  const names = namesOf(contract, options);
  const parts = new ViewParts(contract, anchors, names);
  return {
    view: viewVersion,
    package: packageOf(contract, names, options),
    hosts: hosts.map((host) => parts.hostOf(host)),
    ...parts.shared(),
  };
}

/** Creates the view of a host and the part of the contract that it uses. */
export function createHostView(
  contract: Contract,
  host: Host,
  options: ViewOptions = {},
): HostContractView {
  const own = omitUnused({ ...contract, hosts: [host] });
  // Names are those of the whole contract, so that files for a host can refer to
  // files for all hosts.
  const names = namesOf(contract, options);
  const parts = new ViewParts(own, createAnchors(own, [host]), names);
  return {
    view: viewVersion,
    package: packageOf(contract, names, options),
    host: parts.hostOf(host),
    ...parts.shared(),
  };
}

function namesOf(contract: Contract, { names }: ViewOptions): SettledNames {
  return names ?? settleNames(contract, defaultNameRules);
}

function packageOf(
  { hosts: [host] }: Contract,
  names: SettledNames,
  { package: given = {} }: ViewOptions,
): PackageNameView {
  const name = given.name ?? host?.name ?? "api";
  const version = given.version ?? host?.version ?? "0.0.0";
  return { name, identifier: names.ofPackage(name), version };
}

/** Returns a doc comment, or null if it contains no visible text. */
export function docsOf({ lines }: Docs): DocsView | null {
  return lines.every((line) => withoutInvisible(line).trim() === "")
    ? null
    : { lines };
}

/** Returns the text of `@deprecated`, or null if there is no annotation. */
export function deprecatedOf(deprecated: string | null): DeprecatedView | null {
  if (deprecated === null) return null;
  const isEmpty = withoutInvisible(deprecated).trim() === "";
  return { hasReason: !isEmpty, reason: deprecated };
}

/** Creates the parts of a view. */
class ViewParts {
  readonly #contract: Contract;
  readonly #anchors: Anchors;
  readonly #values: ContractValues;
  readonly #names: SettledNames;
  readonly #statuses: ReadonlyMap<string, number>;

  constructor(contract: Contract, anchors: Anchors, names: SettledNames) {
    this.#contract = contract;
    this.#anchors = anchors;
    this.#values = valuesOf(contract);
    this.#names = names;
    this.#statuses = new Map(
      contract.errors.map(({ name, status }) => [name, status]),
    );
  }

  hostOf(host: Host): HostView {
    const methods = methodsOf(host.services);
    const found = coreTypesOf(this.#contract, methods, this.#values);
    return {
      name: host.name,
      identifier: this.#names.of(host),
      document: host.document,
      version: host.version,
      docs: docsOf(host.docs),
      basePath: host.basePath.text,
      parameters: [...new Set(pathParameters(host.basePath))].map((name) => ({
        name,
        identifier: this.#names.ofParameter(name),
      })),
      baseUrl: host.baseUrl,
      services: host.services.map((service) => this.#serviceOf(service, host)),
      unlikeJson: unlikeJson.filter((name) => found.has(name)),
    };
  }

  /** Returns the parts that hosts share. */
  shared(): Omit<ContractView, "view" | "package" | "hosts"> {
    const { credentials, errors } = this.#contract;
    const types = this.#contract.types.map((type) => this.#typeOf(type));
    const methods = methodsOf(
      this.#contract.hosts.flatMap(({ services }) => services),
    );
    const found = coreTypesOf(this.#contract, methods, this.#values);
    return {
      types,
      enums: types.filter((type) => type.kind === "enum"),
      structs: types.filter((type) => type.kind === "struct"),
      aliases: inOrder(
        types.filter((type) => type.kind === "alias" || type.kind === "union"),
      ),
      credentials: credentials.map((each) => this.#credentialOf(each)),
      errors: errors.map(({ code, data, docs, message, name, status }) => ({
        name,
        identifier: this.#names.ofError(name),
        code,
        status,
        message,
        docs: docsOf(docs),
        data: data === null ? null : this.#nameOf(data),
      })),
      uses: {
        any: found.has("any"),
        bigint: found.has("bigint"),
        bytes: found.has("bytes"),
        file: found.has("file"),
        null: found.has("null"),
        timestamp: found.has("timestamp"),
        stream: methods.some(({ response }) => response.isStream),
        message: methods.some(({ request, response }) =>
          [request, response].some(
            ({ fields, struct }) => struct === null && fields.length > 0,
          ),
        ),
        union: types.some(({ kind }) => kind === "union"),
        data: errors.some(({ data }) => data !== null),
        open: types.some((type) => type.kind === "union" && type.isOpen),
      },
    };
  }

  #credentialOf(credential: Credential): CredentialView {
    const { docs, error, header, name, scheme } = credential;
    const identifier = this.#names.of(credential);
    return { name, identifier, docs: docsOf(docs), header, scheme, error };
  }

  #serviceOf(service: Service, host: Host): ServiceView {
    const { direction, docs, methods, name } = service;
    return {
      name,
      identifier: this.#names.of(service),
      docs: docsOf(docs),
      isOutbound: direction === "outbound",
      methods: methods.map((method) => this.#methodOf(method, service, host)),
      anchor: encodeURI(this.#anchors.services.get(service) ?? ""),
    };
  }

  #methodOf(method: Method, service: Service, host: Host): MethodView {
    const { route } = method;
    const body = route.kind === "rest" ? route.body : null;
    return {
      name: method.name,
      identifier: this.#names.of(method),
      service: method.service,
      docs: docsOf(method.docs),
      deprecated: deprecatedOf(method.deprecated),
      isReadonly: method.safety === "readonly",
      isIdempotent: method.safety === "idempotent",
      credentials: method.credentials.flatMap((header) => {
        const found = this.#contract.credentials.find(
          (credential) => credential.header === header,
        );
        return found === undefined ? [] : this.#credentialOf(found);
      }),
      route: this.#routeOf(method, service, host),
      request: this.#messageOf(method.request, null),
      response: this.#messageOf(method.response, body),
      errors: this.#errorsOf(method),
      anchor: encodeURI(this.#anchors.methods.get(method) ?? ""),
    };
  }

  #routeOf(
    { name, request, route }: Method,
    service: Service,
    host: Host,
  ): RouteView {
    switch (route.kind) {
      case "rpc": {
        const { path } = route;
        const own = `${service.name}/${name}`.split("/").map(textSegment);
        const base = host.basePath.segments.map((segment): SegmentView =>
          segment.kind === "literal"
            ? textSegment(segment.text)
            : {
                kind: "parameter",
                name: segment.name,
                identifier: this.#names.ofParameter(segment.name),
              },
        );
        return { kind: "rpc", path, segments: [...base, ...own] };
      }
      case "rest": {
        const segments = route.path.segments.map((segment): SegmentView => {
          const field =
            segment.kind === "parameter" &&
            request.fields.find(({ jsonName }) => jsonName === segment.name);
          return field
            ? { kind: "field", field: this.#fieldOf(field) }
            : textSegment(segment.kind === "literal" ? segment.text : "");
        });
        return { kind: "rest", path: route.path.text, segments };
      }
      case "webhook": {
        const isOneOfMany = service.methods.length > 1;
        return { kind: "webhook", event: name, isOneOfMany };
      }
    }
  }

  #messageOf(message: Message, bodyField: string | null): MessageView {
    const { isStream, struct } = message;
    const hasFiles = message.fields.some(isFile);
    const fields = message.fields.map((field) => this.#fieldOf(field));
    return {
      identifier: this.#names.of(message),
      struct: struct === null ? null : this.#nameOf(struct),
      fields,
      isRequired: fields.some(({ isOptional }) => !isOptional),
      isStream,
      hasFiles,
      isOnlyFiles: hasFiles && message.fields.every(isFile),
      body: fields.find(({ jsonName }) => jsonName === bodyField) ?? null,
    };
  }

  #errorsOf({ errors, route }: Method): MethodErrorsView | null {
    const anchor = encodeURI(this.#anchors.errors);
    if (route.kind === "webhook") return null;
    if (errors === null) return { kind: "any", anchor };
    if (errors.length === 0) return { kind: "none" };
    return {
      kind: "some",
      names: errors.map((name) => ({
        name,
        identifier: this.#names.ofError(name),
        status: this.#statuses.get(name) ?? null,
        anchor,
      })),
    };
  }

  #fieldOf(field: Field): FieldView {
    const { constraints, deprecated, docs, isNullable, isSensitive } = field;
    const facts: FactView[] = [...limitsOf(constraints)];
    if (isNullable) facts.push({ kind: "nullable" });
    if (isSensitive) facts.push({ kind: "sensitive" });
    const notice = deprecatedOf(deprecated);
    if (notice) facts.push({ kind: "deprecated", ...notice });
    const identifier = this.#names.of(field);
    return {
      name: field.name,
      identifier,
      jsonName: field.jsonName,
      isRenamed: identifier !== field.jsonName,
      docs: docsOf(docs),
      type: this.#valueOf(this.#values.valueOf(field.type)),
      isFile: isFile(field),
      isOptional: field.isOptional,
      isNullable,
      presence: presenceOf(field),
      isSensitive,
      deprecated: notice,
      facts,
      limits: limitsOf(this.#values.valueOf(field).limits),
      checks: checksOf(constraints),
      listed: listedIn(constraints),
    };
  }

  #typeOf(type: TypeDeclaration): TypeView {
    const { name } = type;
    const facts = { ...this.#nameOf(name), docs: docsOf(type.docs) };
    switch (type.kind) {
      case "struct":
        return {
          kind: "struct",
          ...facts,
          fields: type.fields.map((field) => this.#fieldOf(field)),
        };
      case "enum":
        return {
          kind: "enum",
          ...facts,
          members: type.members.map((member, index) => ({
            name: member.name,
            identifier: this.#names.of(member),
            jsonValue: member.jsonValue,
            isRepeated:
              type.members.findIndex(
                ({ jsonValue }) => jsonValue === member.jsonValue,
              ) < index,
            docs: docsOf(member.docs),
          })),
        };
      case "alias":
        return {
          kind: "alias",
          ...facts,
          type: this.#valueOf(this.#values.valueOf(type.type)),
          title: type.title,
          limits: limitsOf(type.constraints),
          checks: checksOf(type.constraints),
          listed: listedIn(type.constraints),
          acceptsInteger: type.acceptsInteger,
          known: type.known === null ? null : this.#nameOf(type.known),
        };
      case "union": {
        const names = this.#names.ofUnion(type);
        return {
          kind: "union",
          ...facts,
          variants: variantsOf(this.#values)(type).map(
            ({ kinds, marks, tags, value }, index) => ({
              identifier:
                value.kind === "struct"
                  ? this.#names.ofType(value.declaration.name)
                  : (names.variants[index] ?? "_"),
              isStruct: value.kind === "struct",
              type: this.#valueOf(value),
              tags: tags.map(tagOf),
              kinds: [...kinds],
              marks: marks.map(({ name }) => name),
            }),
          ),
          tag: type.tag,
          isOpen: type.isOpen,
          choice: type.choice,
          title: type.title ?? unionTitle(this.#values, type),
          unknown: names.unknown,
          parser: names.parser,
          isRecursive: type.variants.some((each) =>
            typesWithin(this.#values, each).has(name),
          ),
        };
      }
    }
  }

  #valueOf(value: ResolvedValue): ValueView {
    const declared = value.name === null ? null : this.#nameOf(value.name);
    switch (value.kind) {
      case "scalar":
        return {
          kind: "scalar",
          declared,
          scalar: value.scalar,
          known: value.known && this.#nameOf(value.known.name),
        };
      case "bytes":
        return {
          kind: "bytes",
          declared,
          element: this.#valueOf(this.#values.valueOf(value.element)),
        };
      case "enum":
        return {
          kind: "enum",
          declared,
          enum: this.#nameOf(value.declaration.name),
        };
      case "struct":
        return {
          kind: "struct",
          declared,
          struct: this.#nameOf(value.declaration.name),
        };
      case "list":
        return {
          kind: "list",
          declared,
          element: this.#valueOf(this.#values.valueOf(value.element)),
        };
      case "map":
        return {
          kind: "map",
          declared,
          key: this.#valueOf(this.#values.valueOf(value.key)),
          value: this.#valueOf(this.#values.valueOf(value.held)),
        };
      case "union":
        return {
          kind: "union",
          declared,
          union: this.#nameOf(value.declaration.name),
        };
    }
  }

  #nameOf(name: string): NameView {
    const anchor = encodeURI(this.#anchors.types.get(name) ?? "");
    return { name, identifier: this.#names.ofType(name), anchor };
  }
}

function textSegment(text: string): SegmentView {
  return { kind: "text", text };
}

function presenceOf(field: Field): FieldView["presence"] {
  if (field.isNullable) {
    return field.isOptional ? "optionalNullable" : "nullable";
  }
  return field.isOptional ? "optional" : "required";
}

/** Sorts aliases and unions so that each comes after those it refers to. */
function inOrder<Each extends NamedTypeView>(
  aliases: readonly Each[],
): readonly Each[] {
  const waiting = new Map(aliases.map((alias) => [alias.name, alias]));
  const sorted: Each[] = [];
  const add = (name: string): void => {
    const alias = waiting.get(name);
    if (alias === undefined) return;
    waiting.delete(name);
    const types =
      alias.kind === "alias"
        ? [alias.type]
        : alias.variants.map(({ type }) => type);
    for (const each of types.flatMap(declaredIn)) add(each);
    sorted.push(alias);
  };
  for (const { name } of aliases) add(name);
  return sorted;
}

/** Returns the names of the declared types that a type is written with. */
function declaredIn(value: ValueView): readonly string[] {
  if (value.declared !== null) return [value.declared.name];
  switch (value.kind) {
    case "list":
    case "bytes":
      return declaredIn(value.element);
    case "map":
      return [...declaredIn(value.key), ...declaredIn(value.value)];
    case "enum":
    case "scalar":
    case "struct":
    case "union":
      return [];
  }
}

/** Core types that JSON represents in another way. */
const unlikeJson = ["bigint", "timestamp", "bytes"] as const;

function isFile({ type }: Field): boolean {
  const inner = type.kind === "list" ? type.element : type;
  return inner.kind === "scalar" && inner.name === "file";
}
