import {
  Node,
  Project,
  TypeFormatFlags,
  ts,
  type ParameterDeclaration,
  type TypeAliasDeclaration,
} from "ts-morph";

/** A declaration that a package's entry point exports under one name. */
export interface ApiExport {
  readonly name: string;
  /** Whether it exists at run time. Functions, classes, and constants do. */
  readonly isValue: boolean;
  readonly isFunction: boolean;
  /** One form for each overload. */
  readonly forms: readonly ApiForm[];
}

/** A declaration as a page shows it. */
export interface ApiForm {
  /**
   * TypeScript without comments, such as
   * `function retry(options?: RetryOptions): …`.
   */
  readonly text: string;
  /** The doc comment in Markdown, or an empty string if there is none. */
  readonly doc: string;
  /** Also those of its parts, such as `infer Item`. */
  readonly typeParameters: readonly string[];
  /** Public members of an interface or class. */
  readonly members: readonly ApiMember[];
}

/** A property, method, signature, or constructor of an interface or class. */
export interface ApiMember {
  readonly name: string;
  /** The declaration on one line, such as `attempts?: number`. */
  readonly text: string;
  readonly doc: string;
}

/** Creates a project that reads declarations and the programs that use them. */
export function createApiProject(): Project {
  return new Project({
    compilerOptions: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      // The rest of the library takes longer to load than everything else.
      lib: ["lib.es5.d.ts"],
      strict: true,
      target: ts.ScriptTarget.ES2022,
      types: [],
    },
    skipAddingFilesFromTsConfig: true,
  });
}

/** Returns the exports of each declaration file, with values first. */
export function readApi(
  project: Project,

  paths: readonly string[],
): readonly ReadonlyMap<Node, ApiExport>[] {
  const exported = paths.map((path) =>
    [...project.addSourceFileAtPath(path).getExportedDeclarations()].flatMap(
      ([name, nodes]) => {
        const [first] = nodes;
        return first === undefined ? [] : [{ name, first, nodes }];
      },
    ),
  );
  const known = new Set<Node>(exported.flat().map(({ first }) => first));
  return exported.map((all) => {
    const described = all.map(({ name, first, nodes }) => {
      const forms = nodes.map((node) => toForm(node, known));
      const isFunction = Node.isFunctionDeclaration(first);
      const kind = { isValue: nodes.some(isValue), isFunction };
      return [first, { name, ...kind, forms }] as const;
    });
    return new Map([
      ...described.filter(([, each]) => each.isValue),
      ...described.filter(([, each]) => !each.isValue),
    ]);
  });
}

function isValue(node: Node): boolean {
  return (
    !Node.isInterfaceDeclaration(node) && !Node.isTypeAliasDeclaration(node)
  );
}

function toForm(node: Node, known: ReadonlySet<Node>): ApiForm {
  const own = membersOf(node);
  const shown = Node.isVariableDeclaration(node)
    ? (node.getVariableStatement() ?? node)
    : node;
  const text = textWithoutComments(shown, own);
  const members = [...own, ...inheritedMembers(node, known)];
  return {
    text: namesOnlyValues(node)
      ? `type ${node.getName()} = ${node.getType().getText(node, TypeFormatFlags.InTypeAlias)};`
      : text.replace(/^(?:export |declare )*/u, ""),
    doc: docOf(shown),
    typeParameters: node
      .getDescendantsOfKind(ts.SyntaxKind.TypeParameter)
      .map((each) => each.getName()),
    members: members.flatMap((member) => toMember(member) ?? []),
  };
}

/**
 * Whether a type is a union that refers to a value with `typeof`. Readers of a
 * page do not see that value.
 */
function namesOnlyValues(node: Node): node is TypeAliasDeclaration {
  return (
    Node.isTypeAliasDeclaration(node) &&
    /\btypeof\b/u.test(node.getTypeNodeOrThrow().getText()) &&
    node.getType().isUnion()
  );
}

function membersOf(node: Node): readonly Node[] {
  return Node.isInterfaceDeclaration(node) || Node.isClassDeclaration(node)
    ? node.getMembers()
    : [];
}

/** Returns the members of inherited types that programs cannot import. */
function inheritedMembers(
  node: Node,
  known: ReadonlySet<Node>,
): readonly Node[] {
  const bases: readonly Node[] = Node.isInterfaceDeclaration(node)
    ? node.getBaseDeclarations()
    : Node.isClassDeclaration(node)
      ? // An interface with the same name can declare fields.
        (node.getBaseClass()?.getSymbol()?.getDeclarations() ?? [])
      : [];
  const names = new Set(membersOf(node).map(nameOf));
  return bases
    .filter((base) => !known.has(base) && !isOfLibrary(base))
    .flatMap((base) => [...membersOf(base), ...inheritedMembers(base, known)])
    .filter((member) => !names.has(nameOf(member)));
}

/** Whether TypeScript itself declares a type, such as `Error`. */
function isOfLibrary(node: Node): boolean {
  return /\/lib\.[^/]*\.d\.ts$/u.test(node.getSourceFile().getFilePath());
}

function nameOf(member: Node): string {
  return Node.isConstructorDeclaration(member)
    ? "constructor"
    : Node.hasName(member)
      ? member.getName()
      : member.getText();
}

function toMember(member: Node): ApiMember | null {
  const text = textWithoutComments(member, [])
    .replace(/\s+/gu, " ")
    .replace(/^(?:readonly |override )+/u, "")
    .replace(/([([]) /gu, "$1")
    .replace(/,? ([)\]])/gu, "$1")
    .replace(/;$/u, "");
  if (/^(?:#|private |static )/u.test(text)) return null;
  return { name: nameOf(member), text, doc: docOf(member) };
}

/**
 * Prints a node without comments and without `omitted`, with names for
 * destructuring patterns.
 */
function textWithoutComments(node: Node, omitted: readonly Node[]): string {
  const start = node.getStart();
  const cuts = [
    ...omitted.map((each) => ({
      from: each.getFullStart(),
      to: each.getEnd(),
      by: "",
    })),
    ...node.getDescendants().flatMap((each) =>
      Node.isJSDoc(each) && each.getStart() > start
        ? [{ from: each.getStart(), to: afterSpace(each), by: "" }]
        : Node.isParameterDeclaration(each) && isPattern(each)
          ? [
              {
                from: each.getStart(),
                to: each.getNameNode().getEnd(),
                by: nameForPattern(each),
              },
            ]
          : [],
    ),
  ].sort((left, right) => left.from - right.from);
  const source = node.getSourceFile().getFullText();
  let end = start;
  let text = "";
  for (const { from, to, by } of cuts) {
    if (from < end) continue;
    text += source.slice(end, from) + by;
    end = to;
  }
  return (text + source.slice(end, node.getEnd())).replace(
    /\{\s*\};?$/u,
    omitted.length > 0 ? "{ … }" : "{}",
  );
}

function afterSpace(node: Node): number {
  const rest = node.getSourceFile().getFullText().slice(node.getEnd());
  return node.getEnd() + (/^\s*/u.exec(rest)?.[0].length ?? 0);
}

function isPattern(node: ParameterDeclaration): boolean {
  return Node.isObjectBindingPattern(node.getNameNode());
}

/**
 * Returns a name for a destructured parameter: the last word of its type, such
 * as `options` for `{ attempts }: RetryOptions`.
 */
function nameForPattern(node: ParameterDeclaration): string {
  const type = node.getTypeNode()?.getText() ?? "";
  const word = /[A-Z][a-z]+(?=$|<)/u.exec(type)?.[0] ?? "options";
  return word.toLowerCase();
}

function docOf(node: Node): string {
  if (!Node.isJSDocable(node)) return "";
  const text = node.getJsDocs().at(-1)?.getInnerText() ?? "";
  return text
    .replace(/\{@link ([\w.]+)\}/gu, "`$1`")
    .replace(/\n(Errors|Example|Input|Output|Source|Units): /gu, "\n\n$1: ")
    .replace(/\n{3,}/gu, "\n\n")
    .replace(/^(Errors|Example|Input|Output|Source|Units):/gmu, "**$1:**");
}
