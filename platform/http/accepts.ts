/**
 * Returns whether an `Accept-Encoding` header includes an encoding. `q=0`
 * excludes it.
 */
export function accepts(header: string | null, encoding: string): boolean {
  return (header ?? "").split(",").some((each) => {
    const [name = "", quality = ""] = each.trim().split(/\s*;\s*/u);
    return name === encoding && !/^q=0(?:\.0*)?$/u.test(quality);
  });
}
