/** One malformed request of a suite, as it appears in a file. */
export interface Row {
  /** The source file. Its name without the extension is the category. */
  readonly file: string;
  readonly id: string;
  readonly request: {
    readonly uri: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly response: {
    readonly code: number;
    /**
     * A response body that names the field, for example `"path": "/list/0"`.
     */
    readonly body?: { readonly assertion: { readonly contents: string } };
  };
}

/**
 * Reads a file of rows.
 *
 * Errors: Error if the file does not contain a list of valid rows.
 */
export function parseRows(text: string): readonly Row[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new Error("expected a JSON list of requests");
  rows.forEach((row: unknown, index) => {
    const { file, id, request, response } = Object(row);
    const isRow =
      typeof file === "string" &&
      typeof id === "string" &&
      typeof Object(request).uri === "string" &&
      typeof Object(response).code === "number";
    if (!isRow) throw new Error(`row ${String(index)} is not a request`);
  });
  return rows as readonly Row[];
}

/**
 * Returns the category of a row, such as `malformed-boolean` for a row from
 * `restJson1/malformedRequests/malformed-boolean.smithy`.
 */
export function categoryOf({ file }: Row): string {
  return (file.split("/").at(-1) ?? file).replace(/\.[a-z]+$/u, "");
}
