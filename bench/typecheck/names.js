/** Returns a name with a small first letter. */
export function lower(name) {
  return name[0].toLowerCase() + name.slice(1);
}
