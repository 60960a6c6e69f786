/** Whether a path names the JSON or YAML form of a schema, by its ending. */
export function isFormPath(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path);
}
