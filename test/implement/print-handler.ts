/** The form of a handler for the `Shop` service. */
export interface HandlerForm {
  readonly lineBreak: string;
  readonly indent: string;
  readonly quote: string;
  readonly semicolon: string;
  readonly kind: "annotated" | "satisfies" | "class" | "argument" | "loose";
  /** The names of its existing methods. */
  readonly methods: readonly string[];
  readonly isArrow: boolean;
  readonly isOneLine: boolean;
  readonly hasTrailingComma: boolean;
  readonly hasBlankLines: boolean;
  readonly hasByteOrderMark: boolean;
  readonly hasFinalLineBreak: boolean;
  readonly comments: readonly string[];
}

const results: Readonly<Record<string, string>> = {
  getPrice: "{ cents: 1 }",
  order: "{ id: 1 }",
  ping: "{}",
  putBook: '{ isbn: "1" }',
};

/** Prints a file with a handler that compiles except for missing methods. */
export function printHandler(form: HandlerForm): string {
  const { comments, indent, kind, lineBreak, quote, semicolon } = form;
  const head = comments.includes("head") ? ["// @ts-check, perhaps", ""] : [];
  const imported = kind === "argument" || kind === "loose";
  const name = imported ? "createShopServer" : "type ShopHandler";
  const lines = [
    ...head,
    `import { ${name} } from ${quote}../generated/server.js${quote}${semicolon}`,
    "",
    ...printStatements(form).split("\n"),
  ];
  const text = lines
    .map((line) =>
      line.replace(/^(?: {2})+/u, (spaces) => indent.repeat(spaces.length / 2)),
    )
    .join(lineBreak);
  const mark = form.hasByteOrderMark ? "\uFEFF" : "";
  return mark + text + (form.hasFinalLineBreak ? lineBreak : "");
}

function printStatements({ kind, semicolon, ...rest }: HandlerForm): string {
  const form = { kind, semicolon, ...rest };
  const body = printBody(form);
  switch (kind) {
    case "annotated":
      return `export const handler: ShopHandler = ${body}${semicolon}`;
    case "satisfies":
      return `export const handler = ${body} satisfies ShopHandler${semicolon}`;
    case "class":
      return `export class Shop implements ShopHandler ${body}`;
    case "argument":
      return `createShopServer({ handlers: { shop: ${body} } })${semicolon}`;
    case "loose":
      return [
        `const shop = ${body}${semicolon}`,
        `createShopServer({ handlers: { shop } })${semicolon}`,
      ].join("\n");
  }
}

function printBody(form: HandlerForm): string {
  const { comments, hasBlankLines, hasTrailingComma, isOneLine, kind } = form;
  const isClass = kind === "class";
  const before = comments.includes("before") ? "/* before */ " : "";
  const members = form.methods.map((name, index) => {
    const isLast = index === form.methods.length - 1;
    const comma = isClass || (isLast && !hasTrailingComma) ? "" : ",";
    const end = comments.includes("after") && !isOneLine ? " // after" : "";
    return before + printMember(name, form) + comma + end;
  });
  const last = comments.includes("end") && !isOneLine ? ["// end"] : [];
  if (isOneLine) return `{ ${members.join(" ")} }`;
  const lines = [...members, ...last].map((line) => `  ${line}`);
  return ["{", lines.join(hasBlankLines ? "\n\n" : "\n"), "}"]
    .filter((line) => line !== "")
    .join("\n");
}

function printMember(
  name: string,
  { isArrow, kind, semicolon }: HandlerForm,
): string {
  const result = results[name] ?? "";
  if (!isArrow) return `${name}() { return ${result}${semicolon} }`;
  // Properties of a single-line class need semicolons.
  return kind === "class"
    ? `${name} = () => (${result});`
    : `${name}: () => (${result})`;
}
