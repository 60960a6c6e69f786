import { changesOf } from "./changelog.js";

/** A version in Semantic Versioning, without build metadata. */
export const versionPattern = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/u;

/**
 * Finds the problems with a release.
 *
 * Input: the package.json of both packages, the parsed package-lock.json, the
 * text of CHANGELOG.md, the environment variables, and for each benchmark why its
 * report is stale, or false if it is not. Returns `faults` in the repository, and
 * `obstacles`, which only prevent publishing.
 */
export function findFaults({
  cli,
  runtime,
  lock,
  changelog,
  environment,
  stale,
}) {
  const { version } = cli;
  const faults = [
    !versionPattern.test(version) &&
      `package.json has the version ${version}, which is not a version such as 1.2.3`,
    runtime.version !== version &&
      `the versions differ: ${cli.name} has ${version}, ${runtime.name} has ${runtime.version}`,
    ...["", "runtime/typescript"].map((folder) => {
      const locked = lock.packages[folder]?.version;
      return (
        locked !== version &&
        `package-lock.json has the version ${locked} for "${folder}"; run \`npm install --package-lock-only\``
      );
    }),
  ];
  const obstacles = [
    !changesOf(changelog, version) &&
      `CHANGELOG.md has no section for ${version}; run \`npm run release -- version ${version}\``,
    ...stale,
    ...[cli, runtime].map((each) => checkRepository(each, environment)),
    environment.GITHUB_REF !== `refs/tags/v${version}` &&
      `the workflow does not run for the tag v${version}`,
    !environment.ACTIONS_ID_TOKEN_REQUEST_URL &&
      "provenance requires GitHub Actions with the permission `id-token: write`",
  ];
  const isFound = (each) => each !== false;
  return {
    faults: faults.filter(isFound),
    obstacles: obstacles.filter(isFound),
  };
}

/** Returns why npm cannot link a package to its source, or false if it can. */
function checkRepository({ name, repository }, { GITHUB_REPOSITORY: actual }) {
  if (repository?.url === undefined) {
    return `the package.json of ${name} has no \`repository\`, which provenance requires: set its \`type\`, \`url\` and, for a package in a folder, \`directory\``;
  }
  const isSame = repository.url
    .replace(/\.git$/u, "")
    .endsWith(`github.com/${actual}`);
  return (
    actual !== undefined &&
    !isSame &&
    `the package.json of ${name} names the repository ${repository.url}, but the workflow runs in ${actual}`
  );
}
