import {
  createContractView,
  viewVersion,
} from "../../generator/4-emit/view/create-view.js";
import { deprecatedOf, docsOf } from "../../generator/4-emit/view/view-docs.js";
import type {
  ClientFieldView,
  ClientMethodView,
  ClientServiceView,
  EntryPointView,
  PackageView,
  SkillView,
} from "../../generator/4-emit/view/package-view.js";
import type { DocsView } from "../../generator/4-emit/view/type-view.js";
import type {
  HostPlan,
  MessagePlan,
  MethodPlan,
  ServicePlan,
} from "../../generator/4-emit/typescript/plan/plan.js";
import { fieldTypeOf } from "../../generator/4-emit/typescript/plan/type-text.js";
import { render } from "../../generator/4-emit/typescript/text/format.js";
import {
  hasOptionalCredentials,
  printAlternatives,
} from "../../generator/ir/credentials-of.js";
import { errorsOf } from "../../generator/ir/errors-of.js";
import { allMethods } from "../../generator/ir/methods-of.js";
import type { EntryPoint } from "./entry-points.js";
import type { ReadmeContext } from "./readme-context.js";
import {
  calledCredentials,
  callExample,
  quickStart,
  receiverExample,
} from "./readme-examples.js";

/** Creates the view of a package, for its README and its skill. */
export function createReadmeView(context: ReadmeContext): PackageView {
  const { entryPoints, name, plan, runtimeEntries } = context;
  const { contract, hosts } = plan;
  const services = hosts.flatMap((host) =>
    host.inbound.map((service) => ({
      name: service.service.name,
      docs: docsOf(service.service.docs),
      methods: service.methods.map((method) =>
        methodOf(context, host, service, method),
      ),
    })),
  );
  return {
    view: viewVersion,
    name,
    documents: contract.hosts.map(({ document }) => document).join(", "),
    abouts: contract.hosts.flatMap(({ docs }) => docsOf(docs) ?? []),
    quickStart: quickStart(context),
    entryPoints: entryPoints.map((each) => entryOf(each, context)),
    runtimeEntries,
    credentials: calledCredentials(plan, hosts).map(
      ({ docs, key, names, scheme }) => ({
        option: names.property,
        docs: docsOf(docs),
        key,
        scheme,
      }),
    ),
    services,
    receivers: hosts.flatMap((host) =>
      host.outbound.map((service) => ({
        name: service.service.name,
        docs: docsOf(service.service.docs),
        example: receiverExample(context, host, service),
      })),
    ),
    errors: createContractView({ ...contract, hosts: [], types: [] }).errors,
    hasStreams: allMethods(contract.hosts).some(
      ({ response }) => response.isStream,
    ),
    skill: skillOf(name, services),
  };
}

/** How many services a skill lists, and how long their descriptions are. */
const skillLimits = { services: 40, docs: 120, name: 64 };

function skillOf(
  packageName: string,
  services: readonly ClientServiceView[],
): SkillView {
  return {
    // The folder of an installed package has this name.
    name: packageName
      .replace(/^.*\//u, "")
      .replaceAll(/[^a-z0-9]+/gu, "-")
      .slice(0, skillLimits.name)
      .replaceAll(/^-+|-+$/gu, ""),
    services: services
      .slice(0, skillLimits.services)
      .map(({ name, docs, methods }) => ({
        name,
        docs: shortDocs(docs),
        example: methods[0]?.path ?? "",
        methodCount: methods.length,
      })),
    hasMoreServices: services.length > skillLimits.services,
  };
}

function shortDocs(docs: DocsView | null): DocsView | null {
  const [first = ""] = docs?.lines ?? [];
  return docs === null || first.length > skillLimits.docs
    ? null
    : docsOf({ lines: [first], origins: [] });
}

/**
 * Describes an import by the name of its file, because a host may have the same
 * name as another file.
 */
function entryOf(
  { file, subpath }: EntryPoint,
  { name: packageName, targets }: ReadmeContext,
): EntryPointView {
  const path = packageName + subpath.slice(1);
  const name = file.split("/").at(-1);
  if (name === "webhooks") return { kind: "webhooks", path };
  const part = targets.find(({ packaged }) => packaged?.entry === name);
  return part?.packaged === undefined || (name === "index" && subpath !== ".")
    ? { kind: "host", path, host: subpath.slice(2) }
    : { kind: "part", path, content: part.packaged.content };
}

function methodOf(
  context: ReadmeContext,
  { host }: HostPlan,
  service: ServicePlan,
  plan: MethodPlan,
): ClientMethodView {
  const { method, names, request, response } = plan;
  const errors = errorsOf(host, method);
  const { contract } = context.plan;
  return {
    path: `${service.names.property}.${names.property}`,
    docs: docsOf(method.docs),
    deprecated: deprecatedOf(method.deprecated),
    example: callExample(context.plan, service, plan),
    request: fieldsOf(context, request),
    response: fieldsOf(context, response),
    isStream: response.message.isStream,
    credentials: method.credentials,
    alternatives: printAlternatives(method),
    hasOptionalCredentials: hasOptionalCredentials(method),
    isReadonly: method.safety === "readonly",
    isIdempotent: method.safety === "idempotent",
    hasKey: method.idempotencyKey !== "none",
    hasAnyError:
      errors.length > 0 &&
      method.errors === null &&
      errors.length === contract.errors.length,
    errors,
  };
}

function fieldsOf(
  { imports }: ReadmeContext,
  { object: { fields } }: MessagePlan,
): readonly ClientFieldView[] {
  return fields.map((plan) => ({
    name: plan.field.jsonName,
    type: render(fieldTypeOf(imports, plan)),
    isOptional: plan.field.isOptional,
    docs: docsOf(plan.field.docs),
  }));
}
