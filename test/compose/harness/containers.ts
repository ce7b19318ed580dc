import { succeed } from "./run.ts";

/** The properties of a container that the suites use. */
export interface Container {
  id: string;
  name: string;
  service: string;
  running: boolean;
  healthy: boolean;
  /** Its address on the private network. */
  address: string;
  /** When it was started, by the engine's clock. */
  startedAt: string;
  // biome-ignore lint/suspicious/noExplicitAny: what `docker inspect` says, a document of the engine's own shape
  raw: any;
}

/** All containers of a Compose project, including stopped ones. */
export async function containersOf(project: string): Promise<Container[]> {
  const ids = await succeed("docker", ["ps", "-aq", "--filter", `label=com.docker.compose.project=${project}`]);
  const known = ids.split("\n").filter(Boolean);
  if (known.length === 0) return [];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const all = JSON.parse(await succeed("docker", ["inspect", ...known])) as any[];
  return all.map((raw) => ({
    id: raw.Id,
    name: raw.Name.slice(1),
    service: raw.Config.Labels["com.docker.compose.service"],
    running: raw.State.Running,
    healthy: raw.State.Health?.Status === "healthy",
    address: raw.NetworkSettings.Networks[`${project}_inside`]?.IPAddress ?? "",
    startedAt: raw.State.StartedAt,
    raw,
  }));
}
