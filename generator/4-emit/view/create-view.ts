import type {
  Contract,
  Credential,
  ErrorDeclaration,
  ErrorMember,
  Field,
  Host,
  Message,
  Method,
  Service,
} from "../../ir/contract.js";
import {
  credentialsOf,
  hasOptionalCredentials,
  printAlternatives,
} from "../../ir/credentials-of.js";
import { methodsOf } from "../../ir/methods-of.js";
import { invariant } from "../../ir/invariant.js";
import { pathParameters } from "../../ir/path-template.js";
import { isFileField } from "../../http/request.js";
import { errorHeaders, wireOf } from "../../http/wire-of.js";
import { omitUnused } from "../../values/filter-contract.js";
import { sensitiveMethodsOf } from "../../values/sensitive-methods.js";
import { type ContractValues, valuesOf } from "../../values/value.js";
import { coreTypesOf } from "./core-types.js";
import { historyOf } from "./create-history.js";
import { RouteViews } from "./create-routes.js";
import { inOrder, TypeViews } from "./create-types.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { FieldView } from "./type-view.js";
import { deprecatedOf, docsOf } from "./view-docs.js";
import { tagOf } from "./view-limits.js";
import { type Anchors, createAnchors } from "./anchors.js";
import { defaultNameRules } from "../names/name-rules.js";
import type { PagingView, ResumeView } from "./progress-view.js";
import { hasPages, pagingFor } from "./view-paging.js";
import { settleNames, type SettledNames } from "./settle-names.js";
import type {
  ContractView,
  CredentialView,
  ErrorConstantView,
  ErrorPartView,
  ErrorView,
  HeaderView,
  HostContractView,
  HostView,
  MessageView,
  MethodErrorsView,
  MethodView,
  PackageNameView,
  ServiceView,
} from "./view.js";

/** Version of the view, in its property `view`. */
export const viewVersion = 1;

/** What a view depends on besides the contract. */
export interface ViewOptions {
  /** Identifiers. Default: names are as in RIDL. */
  readonly names?: SettledNames;
  /** Default: the name and version of the first host. */
  readonly package?: PackageOptions;
  /** What clients say about contracts. Default: nothing. */
  readonly skew?: EmitOptions["skew"];
}

/** The name and version of a package of generated code. */
export interface PackageOptions {
  /** E.g. `acme-shop`. Default: the name of the first host. */
  readonly name?: string;
  /** Default: the version of the first host. */
  readonly version?: string;
  /** Where the code imports its runtime from. Default: `ridl` in the package. */
  readonly runtime?: string;
  /** E.g. `com.acme.shop`. Default: the identifier. */
  readonly namespace?: string;
}

/** Creates the view of a contract, with all of its hosts. */
export function createContractView(
  contract: Contract,
  options: ViewOptions = {},
): ContractView {
  const { hosts } = contract;
  const anchors = createAnchors(contract, hosts);
  const names = namesOf(contract, options);
  const parts = new ViewParts(contract, anchors, names, options.skew);
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
  const anchors = createAnchors(own, [host]);
  const parts = new ViewParts(own, anchors, names, options.skew);
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
  const runtime = given.runtime ?? `${name}/ridl`;
  const identifier = names.ofPackage(name);
  const namespace = given.namespace ?? identifier;
  return { name, identifier, version, runtime, namespace };
}

/** Creates the parts of a view. */
class ViewParts {
  readonly #contract: Contract;
  readonly #anchors: Anchors;
  readonly #values: ContractValues;
  readonly #names: SettledNames;
  readonly #statuses: ReadonlyMap<string, number>;
  readonly #types: TypeViews;
  readonly #routes: RouteViews;
  readonly #skew: EmitOptions["skew"];

  constructor(
    contract: Contract,
    anchors: Anchors,
    names: SettledNames,
    skew: EmitOptions["skew"],
  ) {
    this.#contract = contract;
    this.#anchors = anchors;
    this.#values = valuesOf(contract);
    this.#names = names;
    this.#skew = skew;
    this.#types = new TypeViews(contract.types, this.#values, anchors, names);
    this.#routes = new RouteViews(this.#types, names);
    this.#statuses = new Map(
      contract.errors.flatMap(({ anyStatus, name, status }) =>
        anyStatus ? [] : [[name, status]],
      ),
    );
  }

  hostOf(host: Host): HostView {
    const methods = methodsOf(host.services);
    const found = coreTypesOf(this.#contract, methods, this.#values);
    const own = omitUnused({ ...this.#contract, hosts: [host] });
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
      credentials: own.credentials.map((each) => this.#credentialOf(each)),
      errors: own.errors.map((error) => this.#errorOf(error)),
      errorBody:
        host.errorBody === null
          ? null
          : {
              struct: this.#types.nameOf(host.errorBody.struct),
              mediaType: host.errorBody.mediaType,
              errors: host.errors,
              parts: partsOf(host.errorBody.members),
              constants: constantsOf(host.errorBody.members),
              headers: this.#errorHeadersOf(host.errorBody.struct),
            },
      contractHeader: this.#skew?.get(host.name)?.header ?? null,
      contractHistory: historyOf(this.#skew?.get(host.name)),
      unlikeJson: unlikeJson.filter((name) => found.has(name)),
    };
  }

  /** Returns the parts that hosts share. */
  shared(): Omit<ContractView, "view" | "package" | "hosts"> {
    const { credentials, errors } = this.#contract;
    const types = this.#contract.types.map((type) => this.#types.typeOf(type));
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
      errors: errors.map((error) => this.#errorOf(error)),
      uses: {
        any: found.has("any"),
        bigint: found.has("bigint"),
        bytes: found.has("bytes"),
        file: found.has("file"),
        null: found.has("null"),
        timestamp: found.has("timestamp"),
        stream: methods.some(({ response }) => response.isStream),
        pages: hasPages(this.#contract, methods),
        message: methods.some(({ request, response }) =>
          [request, response].some(
            ({ fields, struct }) => struct === null && fields.length > 0,
          ),
        ),
        union: types.some(({ kind }) => kind === "union"),
        data:
          errors.some(({ data }) => data !== null) ||
          this.#contract.hosts.some(({ errorBody }) => errorBody !== null),
        open: types.some((type) => type.kind === "union" && type.isOpen),
      },
    };
  }

  #credentialOf(credential: Credential): CredentialView {
    const { docs, ...facts } = credential;
    return {
      ...facts,
      identifier: this.#names.of(credential),
      docs: docsOf(docs),
    };
  }

  #serviceOf(service: Service, host: Host): ServiceView {
    const { direction, docs, name } = service;
    const methods = service.methods.map((method) =>
      this.#methodOf(method, service, host),
    );
    return {
      name,
      identifier: this.#names.of(service),
      docs: docsOf(docs),
      isOutbound: direction === "outbound",
      pages: this.#names.ofPages(service),
      methods,
      anchor: encodeURI(this.#anchors.services.get(service) ?? ""),
    };
  }

  #methodOf(method: Method, service: Service, host: Host): MethodView {
    const { request, response } = wireOf(method);
    return {
      name: method.name,
      identifier: this.#names.of(method),
      service: method.service,
      docs: docsOf(method.docs),
      deprecated: deprecatedOf(method.deprecated),
      isReadonly: method.safety === "readonly",
      isSensitive: sensitiveMethodsOf(this.#contract).has(method),
      isIdempotent: method.safety === "idempotent",
      idempotencyKey: method.idempotencyKey,
      isClientOnly: method.isClientOnly,
      resume: this.#resumeOf(method),
      paging: this.#pagingOf(method),
      credentials: credentialsOf(method, this.#contract).map((each) =>
        this.#credentialOf(each),
      ),
      alternatives: printAlternatives(method),
      hasOptionalCredentials: hasOptionalCredentials(method),
      route: this.#routes.routeOf(method, service, host),
      request: {
        ...this.#messageOf(method.request, null),
        hasParts: request.body.hasParts,
        hasJsonPart:
          method.route.kind === "rpc" &&
          request.body.hasParts &&
          !request.body.fields.every(isFileField),
      },
      response: this.#messageOf(method.response, response.whole),
      errors: this.#errorsOf(method),
      anchor: encodeURI(this.#anchors.methods.get(method) ?? ""),
    };
  }

  #resumeOf({ request, resume }: Method): ResumeView | null {
    if (resume === null) return null;
    const { argument, cursor } = resume;
    const field = fieldIn(request.fields, argument);
    return {
      argument,
      cursor: cursor.join("."),
      field: this.#types.fieldOf(field),
    };
  }

  #pagingOf(method: Method): PagingView | null {
    const paging = pagingFor(this.#contract, method);
    if (paging === null) return null;
    const { answered, asked, holder, isNumbered, items, linked } = paging;
    const fieldOf = (field: Field): FieldView => this.#types.fieldOf(field);
    const value = valuesOf(this.#contract).valueOf(asked);
    const members = value.kind === "struct" ? value.declaration.fields : [];
    return {
      asked: fieldOf(asked),
      holder: holder && fieldOf(holder),
      answered: fieldOf(answered),
      items: items && fieldOf(items),
      numbered: isNumbered
        ? {
            page: fieldOf(fieldIn(members, "page")),
            more: fieldOf(fieldIn(members, "more")),
          }
        : null,
      linked,
    };
  }

  /** Returns the headers that contain fields of the data of an error. */
  #errorHeadersOf(struct: string | null): readonly HeaderView[] {
    const type = this.#contract.types.find(({ name }) => name === struct);
    const fields = type?.kind === "struct" ? type.fields : [];
    return this.#routes.headersOf(errorHeaders(fields));
  }

  #messageOf(message: Message, whole: Field | null): MessageView {
    const { isStream, struct } = message;
    const hasFiles = message.fields.some(isFileField);
    const fields = message.fields.map((field) => this.#types.fieldOf(field));
    return {
      identifier: this.#names.of(message),
      struct: struct === null ? null : this.#types.nameOf(struct),
      fields,
      isRequired: fields.some(({ isOptional }) => !isOptional),
      isStream,
      hasFiles,
      isOnlyFiles: hasFiles && message.fields.every(isFileField),
      hasParts: false,
      hasJsonPart: false,
      body: whole && this.#types.fieldOf(whole),
    };
  }

  #errorOf(error: ErrorDeclaration): ErrorView {
    const { anyStatus, code, data, dataMembers, message, name, status } = error;
    const isUsual = this.#contract.hosts.some(
      ({ errorBody }) => errorBody?.struct === data,
    );
    return {
      name,
      identifier: this.#names.ofError(name),
      code,
      status,
      hasAnyStatus: anyStatus,
      message,
      docs: docsOf(error.docs),
      data: data === null ? null : this.#types.nameOf(data),
      parts: isUsual ? [] : partsOf(dataMembers),
      constants: isUsual ? [] : constantsOf(dataMembers),
      headers: this.#errorHeadersOf(data),
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
}

/** Returns the members of a body that are parts of an error. */
function partsOf(members: readonly ErrorMember[]): readonly ErrorPartView[] {
  return members.flatMap(({ isOpen, isText, names, path, role }) =>
    role === null
      ? []
      : {
          role,
          path: path.map(tagOf),
          names: Object.entries(names ?? {}).map(([name, value]) => ({
            name,
            value,
          })),
          isOpen,
          isText,
        },
  );
}

/** Returns the members of a body that always have the same scalar value. */
function constantsOf(
  members: readonly ErrorMember[],
): readonly ErrorConstantView[] {
  return members.flatMap(({ path, role, value }) =>
    role !== null || typeof value === "object"
      ? []
      : { path: path.map(tagOf), value: tagOf(value) },
  );
}

/** Core types that JSON represents in another way. */
const unlikeJson = ["bigint", "timestamp", "bytes"] as const;

function fieldIn(fields: readonly Field[], jsonName: string): Field {
  const found = fields.find((field) => field.jsonName === jsonName);
  invariant(found !== undefined, `there is a field ${jsonName}`);
  return found;
}
