/** CHANGELOG.md to begin with; from then on it is written by people. */
export function printChangelog(version: string): string {
  return `# Changelog\n\n## ${version}\n\n- First version.\n`;
}
