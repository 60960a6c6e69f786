import type { ts } from "ts-morph";
import type { NewOptions } from "../change/base-url.js";
import { useHelper } from "../change/new-client.js";
import type { CodeChange } from "../change/old-client.js";
import type { Base } from "../change/operations.js";
import {
  type NamedProperty,
  readProperty,
  removeProperty,
} from "../change/properties.js";
import { UnsupportedCode } from "../change/unsupported-code.js";
import type { SendingLink } from "./read-links.js";

/** Options that only concern the form of tRPC's requests. */
const dropped: ReadonlySet<string> = new Set([
  "maxItems",
  "maxURLLength",
  "methodOverride",
  "streamHeader",
  "transformer",
]);

/**
 * Converts the options of the link that sends calls. What stays keeps its
 * comments and its format.
 *
 * Errors: {@link UnsupportedCode} for what has no equivalent.
 */
export function readOptions(
  { options, transformer }: SendingLink,
  base: Base,
  change: CodeChange,
): NewOptions {
  const { edits } = change;
  const all = options.properties.map((each) => readMember(each, change));
  const url = all.find(({ name }) => name === "url");
  if (url === undefined)
    throw new UnsupportedCode(options, "the link has no `url`");
  const own = all.find(({ name }) => name === "transformer")?.value ?? null;
  checkTransformer(own ?? transformer, options, base, change);
  // Nothing is replaced if one of them has no equivalent.
  const edit = all.map((each) =>
    dropped.has(each.name)
      ? () => removeProperty(each.node, edits)
      : changeOption(each, change),
  );
  edit.forEach((run) => run());
  return { text: edits.slice(options), doubtful: url.value };
}

/** An option of a link, which can be a method. */
type LinkOption = Pick<NamedProperty, "name" | "node"> & {
  readonly value: ts.Expression | ts.MethodDeclaration;
};

function readMember(
  node: ts.ObjectLiteralElementLike,
  { migration }: CodeChange,
): LinkOption {
  const { compiler } = migration;
  if (compiler.isMethodDeclaration(node) && compiler.isIdentifier(node.name)) {
    return { name: node.name.text, node, value: node };
  }
  return readProperty(node, compiler);
}

/** Returns what changes an option. */
function changeOption(option: LinkOption, change: CodeChange): () => void {
  switch (option.name) {
    case "url": {
      const text = `baseUrl: ${printUrl(option, change)}`;
      return () => change.edits.replace(option.node, text);
    }
    case "headers":
      return changeHeaders(option, change);
    case "fetch":
      return () => undefined;
  }
  throw new UnsupportedCode(
    option.node,
    `the option \`${option.name}\` has no equivalent`,
  );
}

const ending = /(?:\/api)?\/trpc\/?(?=["'`]$)/u;

/** Prints an address without the path of tRPC's server. */
function printUrl(
  { node, value }: LinkOption,
  { edits, file, migration }: CodeChange,
): string {
  const { compiler } = migration;
  const { checker } = file.lookup;
  if (compiler.isMethodDeclaration(value)) {
    throw new UnsupportedCode(node, "the address is a function");
  }
  const text = edits.slice(value);
  const isText =
    compiler.isStringLiteralLike(value) || compiler.isTemplateExpression(value);
  if (isText) {
    const short = text.replace(ending, "");
    const only = /^`\$\{([\w.]+)\}`$/u.exec(short)?.[1];
    const [span] = compiler.isTemplateExpression(value)
      ? value.templateSpans
      : [];
    const isString =
      span !== undefined &&
      (checker.getTypeAtLocation(span.expression).flags &
        compiler.TypeFlags.StringLike) !==
        0;
    return only !== undefined && isString ? only : short;
  }
  const isString =
    (checker.getTypeAtLocation(value).flags & compiler.TypeFlags.StringLike) !==
    0;
  const isSimple = compiler.isLeftHandSideExpression(value);
  const whole = isSimple ? text : `(${text})`;
  const string = isString ? whole : `String(${text})`;
  return `${string}.replace(/(?:\\/api)?\\/trpc\\/?$/u, "")`;
}

/** Lets headers be absent, as tRPC does. */
function changeHeaders(
  { node, value }: LinkOption,
  change: CodeChange,
): () => void {
  const { edits, file, migration } = change;
  const { compiler } = migration;
  const { checker } = file.lookup;
  const code = compiler.isPropertyAssignment(node) ? node.initializer : value;
  const isFunction =
    compiler.isArrowFunction(code) ||
    compiler.isFunctionExpression(code) ||
    compiler.isMethodDeclaration(code);
  const [parameter] = isFunction ? code.parameters : [];
  if (parameter !== undefined) {
    throw new UnsupportedCode(parameter, "these headers depend on the call");
  }
  const type = checker.getTypeAtLocation(code);
  const [signature] = type.getCallSignatures();
  const returned =
    signature === undefined
      ? type
      : checker.getReturnTypeOfSignature(signature);
  const headers = checker.getAwaitedType(returned) ?? returned;
  if (!hasOtherValues(headers, file.lookup)) return () => undefined;
  return () => {
    const defined = useHelper("definedHeaders", "defined-headers", change);
    const isMethod = compiler.isMethodDeclaration(code);
    const isAsync = isMethod && code.modifiers !== undefined;
    const body = isMethod && code.body ? edits.slice(code.body) : "";
    const text = isMethod
      ? `${isAsync ? "async " : ""}() => ${body}`
      : edits.slice(code);
    edits.replace(node, `headers: ${defined}(${text})`);
  };
}

/** Whether headers can be absent or lists. */
function hasOtherValues(
  type: ts.Type,
  { checker, compiler }: CodeChange["file"]["lookup"],
): boolean {
  const isPlain = (each: ts.Type): boolean =>
    each.isUnion()
      ? each.types.every(isPlain)
      : (each.flags &
          (compiler.TypeFlags.StringLike | compiler.TypeFlags.Any)) !==
        0;
  const types = type.isUnion() ? type.types : [type];
  return types.some((each) => {
    if (each.symbol?.name === "Headers") return false;
    const index = each.getStringIndexType();
    return [
      ...each.getProperties().map((member) => checker.getTypeOfSymbol(member)),
      ...(index === undefined ? [] : [index]),
    ].some((member) => !isPlain(member));
  });
}

/**
 * Checks that dates of the new client have the same type.
 *
 * Errors: {@link UnsupportedCode} if they have another one.
 */
function checkTransformer(
  transformer: ts.Node | null,
  place: ts.Node,
  { host }: Base,
  { migration }: CodeChange,
): void {
  const { options } = migration.plan;
  const wanted = transformer === null ? "string" : "date";
  if (options.timestamp === wanted) return;
  const messages = host.inbound.flatMap(({ methods }) =>
    methods.flatMap(({ request, response }) => [request, response]),
  );
  const reached = migration.plan.contract.types.filter(({ name }) =>
    host.reached.has(name),
  );
  const hasTimes = JSON.stringify([
    messages.map(({ message }) => message),
    reached,
  ]).includes('"name":"timestamp"');
  if (!hasTimes) return;
  throw new UnsupportedCode(
    transformer ?? place,
    transformer === null
      ? "dates are text without a transformer, and `Date` in the generated client"
      : "dates are `Date` with a transformer, and text in the generated client",
    `set \`timestamp: ${wanted}\` in ridl.config.yaml, and run \`ridl generate\``,
  );
}
