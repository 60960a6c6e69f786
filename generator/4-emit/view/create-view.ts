import { withoutInvisible } from "../emitter/invisible.js";
import type {
  Constraints,
  Contract,
  Docs,
  Field,
  Host,
  Message,
  Method,
  Service,
  TypeDeclaration,
  TypeReference,
} from "../../ir/contract.js";
import { methodsOf } from "../../ir/methods-of.js";
import { omitUnused } from "../../values/filter-contract.js";
import { typesIn } from "../../values/reachable-types.js";
import {
  type ContractValues,
  type ResolvedValue,
  valuesOf,
} from "../../values/value.js";
import { type Anchors, createAnchors } from "./anchors.js";
import type {
  ContractView,
  DeprecatedView,
  DocsView,
  FactView,
  FieldView,
  HostContractView,
  HostView,
  LimitFactView,
  MessageView,
  MethodErrorsView,
  MethodView,
  NameView,
  RouteView,
  ServiceView,
  TypeView,
  ValueView,
} from "./view.js";

/** Version of the view, in its property `view`. */
export const viewVersion = 1;

/** Creates the view of a contract, with all of its hosts. */
export function createContractView(contract: Contract): ContractView {
  const { hosts } = contract;
  const parts = new ViewParts(contract, createAnchors(contract, hosts));
  return {
    view: viewVersion,
    hosts: hosts.map((host) => parts.hostOf(host)),
    ...parts.shared(),
  };
}

/** Creates the view of a host and the part of the contract that it uses. */
export function createHostView(
  contract: Contract,
  host: Host,
): HostContractView {
  const own = omitUnused({ ...contract, hosts: [host] });
  const parts = new ViewParts(own, createAnchors(own, [host]));
  return { view: viewVersion, host: parts.hostOf(host), ...parts.shared() };
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
  readonly #statuses: ReadonlyMap<string, number>;

  constructor(contract: Contract, anchors: Anchors) {
    this.#contract = contract;
    this.#anchors = anchors;
    this.#values = valuesOf(contract);
    this.#statuses = new Map(
      contract.errors.map(({ name, status }) => [name, status]),
    );
  }

  hostOf(host: Host): HostView {
    return {
      name: host.name,
      document: host.document,
      version: host.version,
      docs: docsOf(host.docs),
      basePath: host.basePath.text,
      baseUrl: host.baseUrl,
      services: host.services.map((service) => this.#serviceOf(service)),
      unlikeJson: unlikeJson(this.#contract, host, this.#values),
    };
  }

  /** Returns the parts that hosts share. */
  shared(): Omit<ContractView, "view" | "hosts"> {
    const { credentials, errors, types } = this.#contract;
    return {
      types: types.map((type) => this.#typeOf(type)),
      credentials: credentials.map(({ docs, error, header, name, scheme }) => ({
        name,
        docs: docsOf(docs),
        header,
        scheme,
        error,
      })),
      errors: errors.map(({ code, docs, message, name, status }) => ({
        name,
        code,
        status,
        message,
        docs: docsOf(docs),
      })),
    };
  }

  #serviceOf(service: Service): ServiceView {
    const { direction, docs, methods, name } = service;
    return {
      name,
      docs: docsOf(docs),
      isOutbound: direction === "outbound",
      methods: methods.map((method) => this.#methodOf(method, service)),
      anchor: encodeURI(this.#anchors.services.get(service) ?? ""),
    };
  }

  #methodOf(method: Method, service: Service): MethodView {
    const { route } = method;
    const body = route.kind === "rest" ? route.body : null;
    return {
      name: method.name,
      service: method.service,
      docs: docsOf(method.docs),
      deprecated: deprecatedOf(method.deprecated),
      isReadonly: method.safety === "readonly",
      isIdempotent: method.safety === "idempotent",
      credentials: method.credentials,
      route: routeOf(method, service),
      request: this.#messageOf(method.request, null),
      response: this.#messageOf(method.response, body),
      errors: this.#errorsOf(method),
      anchor: encodeURI(this.#anchors.methods.get(method) ?? ""),
    };
  }

  #messageOf(message: Message, bodyField: string | null): MessageView {
    const { fields, isStream, struct } = message;
    const hasFiles = fields.some(isFile);
    return {
      struct: struct === null ? null : this.#nameOf(struct),
      fields: fields.map((field) => this.#fieldOf(field)),
      isStream,
      hasFiles,
      isOnlyFiles: hasFiles && fields.every(isFile),
      bodyField,
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
    return {
      name: field.name,
      jsonName: field.jsonName,
      docs: docsOf(docs),
      type: this.#valueOf(this.#values.valueOf(field.type)),
      isOptional: field.isOptional,
      isNullable,
      isSensitive,
      deprecated: notice,
      facts,
      limits: limitsOf(this.#values.valueOf(field).limits),
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
          members: type.members.map(({ docs, jsonValue, name }) => ({
            name,
            jsonValue,
            docs: docsOf(docs),
          })),
        };
      case "alias":
        return {
          kind: "alias",
          ...facts,
          type: this.#valueOf(this.#values.valueOf(type.type)),
          limits: limitsOf(type.constraints),
          acceptsInteger: type.acceptsInteger,
          known: type.known === null ? null : this.#nameOf(type.known),
        };
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
    }
  }

  #nameOf(name: string): NameView {
    return { name, anchor: encodeURI(this.#anchors.types.get(name) ?? "") };
  }
}

function routeOf({ name, route }: Method, { methods }: Service): RouteView {
  switch (route.kind) {
    case "rpc":
      return { kind: "rpc", path: route.path };
    case "rest":
      return { kind: "rest", path: route.path.text };
    case "webhook":
      return { kind: "webhook", event: name, isOneOfMany: methods.length > 1 };
  }
}

function limitsOf(constraints: Constraints): readonly LimitFactView[] {
  return Object.entries(constraints).map(([name, value]) => ({
    kind: "limit",
    name,
    value: String(value),
  }));
}

function isFile({ type }: Field): boolean {
  const inner = type.kind === "list" ? type.element : type;
  return inner.kind === "scalar" && inner.name === "file";
}

/** Lists what a host uses and JSON represents in another way. */
function unlikeJson(
  contract: Contract,
  { services }: Host,
  values: ContractValues,
): HostView["unlikeJson"] {
  const messages = methodsOf(services).flatMap(({ request, response }) => [
    ...request.fields,
    ...response.fields,
  ]);
  const types = contract.types.flatMap(typesIn);
  const all = [...messages.map(({ type }) => type), ...types];
  const found = new Set(all.flatMap((type) => namesIn(type, values)));
  return (["bigint", "timestamp", "bytes"] as const).filter((name) =>
    found.has(name),
  );
}

/** Returns the core types in a type as written, and `bytes`. */
function namesIn(
  type: TypeReference,
  values: ContractValues,
): readonly string[] {
  const value = values.valueOf(type);
  if (value.kind === "bytes") return [value.kind];
  // Aliases are described on their own.
  if (value.name !== null) return [];
  switch (value.kind) {
    case "list":
      return namesIn(value.element, values);
    case "map":
      return [...namesIn(value.key, values), ...namesIn(value.held, values)];
    case "scalar":
      return [value.scalar];
    case "enum":
    case "struct":
      return [];
  }
}
