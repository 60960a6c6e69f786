/** Whether a path has an extension of the JSON or YAML form of a schema. */
export function isFormPath(path: string): boolean {
  return /\.(?:json|ya?ml)$/i.test(path);
}
