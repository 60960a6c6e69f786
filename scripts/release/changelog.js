/** The heading that collects changes until the next release. */
const unreleased = "## Unreleased\n";

/**
 * Returns the changes in a released version, or null if it has no dated
 * section.
 */
export function changesOf(changelog, version) {
  return sectionOf(changelog, `## ${version} - `);
}

/**
 * Moves the unreleased changes to a version. Returns null if there are none.
 */
export function dateChanges(changelog, version, date) {
  if (!sectionOf(changelog, unreleased)) return null;
  const dated = `${unreleased}\n## ${version} - ${date}\n`;
  return changelog.replace(unreleased, dated);
}

/** Returns the text below the heading that starts with some words. */
function sectionOf(changelog, heading) {
  const sections = changelog.split(/^(?=## )/mu);
  const section = sections.find((each) => each.startsWith(heading));
  return section?.replace(/^.*\n/u, "").trim() ?? null;
}
