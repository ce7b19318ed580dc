import { basename, posix } from "node:path";
import { parseAllDocuments } from "yaml";
import { type Json, type KubernetesObject, nameOf } from "./objects.ts";
import { strategicMerge } from "./strategic-merge.ts";

/** Reads a file by its path below the repository. @throws Error if it doesn't exist. */
export type ReadText = (path: string) => string;

/** The fields that these kustomizations may have. All exist in kustomize 2.0.3 and in today's; a test compares with both. */
const FIELDS = [
  "apiVersion",
  "kind",
  "namespace",
  "bases",
  "resources",
  "patchesStrategicMerge",
  "configMapGenerator",
  "generatorOptions",
  "images",
];
const CLUSTER_SCOPED = ["Namespace", "ClusterIssuer"];

/**
 * Renders a kustomization as `kubectl kustomize` does, for the fields above, so that `make lint` needs no kubectl.
 * @param folder below the repository.
 * @throws Error naming the file and what is wrong.
 */
export function render(folder: string, read: ReadText): KubernetesObject[] {
  const file = posix.join(folder, "kustomization.yaml");
  const [kustomization] = parseYaml(file, read);
  const unknown = Object.keys(kustomization).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0)
    throw new Error(`${file}: ${unknown.join(", ")} isn't known to kustomize 2.0.3 or to this check`);
  const { namespace, bases, resources, patchesStrategicMerge, configMapGenerator, generatorOptions, images } =
    kustomization;
  if (configMapGenerator && !generatorOptions?.disableNameSuffixHash)
    throw new Error(`${file}: generated names need generatorOptions.disableNameSuffixHash`);

  const objects: KubernetesObject[] = [
    ...(bases ?? []).flatMap((base: string) => render(posix.join(folder, base), read)),
    ...(resources ?? []).flatMap((path: string) => parseYaml(below(folder, path, file), read)),
    ...(configMapGenerator ?? []).map((generator: Json) => configMapOf(generator, folder, file, read)),
  ];
  const names = objects.map(nameOf);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`${file}: ${twice} is defined twice`);
  for (const path of patchesStrategicMerge ?? [])
    for (const patch of parseYaml(below(folder, path, file), read)) {
      const index = objects.findIndex((each) => each.apiVersion === patch.apiVersion && nameOf(each) === nameOf(patch));
      if (index < 0) throw new Error(`${posix.join(folder, path)}: there is no ${nameOf(patch)} to patch`);
      objects[index] = strategicMerge(objects[index], patch);
    }
  for (const each of objects) {
    if (namespace !== undefined && !CLUSTER_SCOPED.includes(each.kind)) each.metadata.namespace = namespace;
    setImages(each, images ?? []);
  }
  return objects;
}

/** Kustomize refuses files outside the folder of the kustomization. */
function below(folder: string, path: string, file: string): string {
  if (posix.normalize(path).startsWith("..")) throw new Error(`${file}: ${path} isn't below its folder`);
  return posix.join(folder, path);
}

function parseYaml(path: string, read: ReadText): Json[] {
  const documents = parseAllDocuments(read(path), { uniqueKeys: true });
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${path}: ${error.message}`);
    return document.toJS();
  });
}

function configMapOf(generator: Json, folder: string, file: string, read: ReadText): KubernetesObject {
  const { name, files, ...rest } = generator;
  if (Object.keys(rest).length > 0)
    throw new Error(`${file}: ${Object.keys(rest).join(", ")} isn't known to this check`);
  const data = Object.fromEntries(files.map((path: string) => [basename(path), read(below(folder, path, file))]));
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function setImages(node: Json, images: readonly Json[]): void {
  if (typeof node !== "object" || node === null) return;
  for (const container of Array.isArray(node.containers) ? node.containers : []) {
    const image = images.find(({ name }) => container.image?.replace(/:.*/, "") === name);
    if (image) container.image = `${image.newName ?? image.name}:${image.newTag}`;
  }
  for (const value of Object.values(node)) setImages(value, images);
}
