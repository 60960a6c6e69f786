/** Whether the extension of a path means the JSON or YAML form of a schema. */
export function isFormPath(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path);
}
