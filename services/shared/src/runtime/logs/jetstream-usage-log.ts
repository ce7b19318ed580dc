import { Counter, type Registry } from "prom-client";
import type { UsageLog } from "../../domain/usage.ts";
import type { Logger } from "../log.ts";
import type { NatsLink } from "../nats.ts";
import { type Following, followUsageStream } from "./jetstream-usage-follower.ts";
import { JetStreamUsageWriter } from "./jetstream-usage-writer.ts";
import { decodeUsageMessage, parseNatsSubject } from "./usage-message.ts";
import { linkUsageStream, USAGE_STREAM } from "./usage-stream.ts";

/**
 * The usage log on JetStream's stream USAGE. Opening asks for nothing: while NATS is down, `publish`
 * rejects at once and `follow` waits. While the stream has other settings than it must have, both
 * reject with StartError. The link stays the caller's to close, after the log.
 * @param options.replicas how many servers hold the stream; it is declared with that many.
 */
export function openJetStreamUsageLog(options: {
  nats: NatsLink;
  replicas: number;
  log: Logger;
  registry: Registry;
}): UsageLog {
  const { nats, replicas, log } = options;
  /** Made when the log is first followed: a gateway only publishes, and a count of its own would always be 0. */
  let setAside: ReturnType<typeof createSetAside> | undefined;
  const link = linkUsageStream(nats, replicas);
  const writer = new JetStreamUsageWriter(link);

  const followings = new Set<Following>();
  let closed = false;

  return {
    publish: async (subject, counts) => {
      if (closed) throw new Error("the usage log is closed");
      return writer.publish(subject, counts);
    },
    async follow(apply) {
      if (closed) throw new Error("the usage log is closed");
      setAside ??= createSetAside(log, options.registry);
      const refuse = setAside;
      const following = followUsageStream({
        nats,
        link,
        log,
        onMessage({ subject: name, data, seq }) {
          const subject = parseNatsSubject(name);
          const message = decodeUsageMessage(data);
          if (subject === null) refuse(seq, "its subject is none of a day, a boot and a shard");
          else if ("problem" in message) refuse(seq, message.problem);
          else apply({ subject, counts: message.counts }, seq);
        },
      });
      followings.add(following);
      await following.caughtUp;
      return () => {
        followings.delete(following);
        void following.end();
      };
    },
    async close() {
      closed = true;
      await Promise.all([writer.settled(), ...[...followings].map((following) => following.end())]);
    },
  };
}

/** Counts and logs what cannot be read, each message once however often it is read. */
function createSetAside(log: Logger, registry: Registry) {
  const seen = new Set<number>();
  const setAside = new Counter({
    name: "geolookup_usage_log_messages_set_aside_total",
    help: "Messages of the usage log that could not be read and were set aside.",
    registers: [registry],
  });
  return (sequence: number, problem: string) => {
    if (seen.has(sequence)) return;
    seen.add(sequence);
    setAside.inc();
    log.error(
      { stream: USAGE_STREAM, sequence, problem },
      "a message of the usage log cannot be read; it is set aside and the rest goes on",
    );
  };
}
