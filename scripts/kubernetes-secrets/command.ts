import { type AddCommands, valueOption } from "../command-line.ts";

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
      act(async () => (await import("./run.ts")).runKubernetesSecrets(context, options.namespace)),
    );
};
