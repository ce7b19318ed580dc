import type { Command } from "commander";
import { type AddCommands, type CommandContext, type Perform, valueOption } from "../command-line.ts";

/** Adds `signing-key` to `rotate`. @param how see runRotate. */
export function addRotateSigningKey(
  rotate: Command,
  context: CommandContext,
  act: (perform: Perform) => void,
  how: { distribute?: () => Promise<void> } = {},
): void {
  rotate
    .command("signing-key")
    .summary("sign new keys with a new signing key; old keys keep working")
    .description(
      `Adds a new entry to the ring of signing keys, waits 3 s for every auth node to read it, and signs new keys with it. Existing \
keys keep working. No restart is needed.

Reads SIGNING_KEYS_FILE; default: signing-keys.json in DATA_DIR, as with start.`,
    )
    .addOption(
      valueOption(
        "--drop <id>",
        "instead, invalidate all keys that this entry signed, permanently: after it leaked, or if it is lost. They become bad_signature",
      ),
    )
    .action((options: { drop?: string }) =>
      act(async () => (await import("../rotate-signing-key/run.ts")).runRotate(context, { ...options, ...how })),
    );
}

/** Adds `secrets` to `kubernetes`. */
export const addKubernetesSecrets: AddCommands = (kubernetes, context, act) => {
  kubernetes
    .command("secrets")
    .summary("write the cluster's secrets for Kubernetes")
    .description(
      `Writes Kubernetes Secrets from the files in secrets/, which Docker Compose uses too: to secrets/kubernetes/secrets.json, and \
the certificates for TLS between processes to secrets/kubernetes/internal-tls.json. Only you can read these files. Missing \
secrets are created first. Then apply the files, the second one only if cert-manager doesn't issue certificates:

  kubectl apply -f infra/kubernetes/base/namespace.yaml -f secrets/kubernetes/secrets.json
  kubectl apply -f secrets/kubernetes/internal-tls.json`,
    )
    .addOption(valueOption("--namespace <name>", "namespace of the Secrets (default: geolookup)"))
    .action((options: { namespace?: string }) =>
      act(async () => (await import("../kubernetes-secrets/run.ts")).runKubernetesSecrets(context, options.namespace)),
    );
};

export const addNatsSetup: AddCommands = (program, context, act) => {
  program
    .command("nats-setup")
    .summary("create the streams of a cluster in NATS")
    .description(
      `Creates the streams of a cluster in NATS: AUDIT, KEY_MARKS, KEYS, OPERATORS, USAGE and USAGE_MONTHS. Services wait until they exist. To change \
how many NATS servers store the streams, set NATS_REPLICAS and run it again. Never creates an empty key log if other streams \
show that there was one.

Reads NATS_URL, the credentials of the NATS user "setup", and NATS_REPLICAS (unset: 1).`,
    )
    .action(() => act(async () => (await import("../nats-connection.ts")).runNatsSetup(context)));
};
