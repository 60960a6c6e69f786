/** HTML whose values are escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Creates HTML from a template. Texts among its values are escaped. */
export function html(
  { raw }: TemplateStringsArray,
  ...values: readonly Value[]
): Html {
  return new Html(String.raw({ raw }, ...values.map(print)));
}

function print(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(print).join("");
  return String(value).replace(/[&<>"']/gu, (each) => entities[each] ?? "");
}
