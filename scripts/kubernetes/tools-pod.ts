import { text } from "node:stream/consumers";

/**
 * Turns the Deployment `tools` (JSON on standard input) into a pod for one command: `tools-pod.ts NAME`. It isn't one of the
 * Deployment's pods, so that commands don't delete each other's pods.
 */

/** Kubernetes ends a pod that a command left behind after this time. */
const MAX_SECONDS = 6 * 60 * 60;

const { spec, metadata } = JSON.parse(await text(process.stdin));
const { template } = spec;
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: process.argv[2], namespace: metadata.namespace, labels: template.metadata.labels },
  spec: { ...template.spec, restartPolicy: "Never", activeDeadlineSeconds: MAX_SECONDS },
};
process.stdout.write(JSON.stringify(pod));
