import { Counter, Gauge, type Registry } from "@prometheus-io/client";
import type { KeyCounts, MonthLog, RefusalLog, UsageLog } from "../../../domain/usage.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { StreamMessage } from "../../../runtime/nats/stream-reader.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { budgetedLine } from "../../../runtime/observability/log-budget.ts";
import { followUsageStream, type UsageFollowing } from "./follower.ts";
import {
  type CountsProperty,
  decodeUsageMessage,
  natsMonthSubject,
  natsSubject,
  parseNatsMonthSubject,
  parseNatsSubject,
} from "./message.ts";
import {
  linkUsageStream,
  USAGE_MONTHS_STREAM,
  USAGE_STREAM,
  type UsageStreamLink,
  usageMonthsStreamSettings,
  usageStreamSettings,
} from "./stream.ts";
import { JetStreamUsageWriter } from "./writer.ts";

/**
 * The usage log on the JetStream streams USAGE and USAGE_MONTHS. Opening makes no request: while NATS is
 * down, `publish` rejects at once and `follow` waits. If a stream has the wrong settings, both reject
 * with StartError. The caller closes the link, after the log.
 * @param options.replicas how many servers store the streams.
 */
export function openJetStreamUsageLog(options: {
  nats: NatsLink;
  replicas: number;
  log: Logger;
  registry: Registry;
}): UsageLog & MonthLog & RefusalLog {
  const { nats, replicas, log } = options;
  /** Created when the log is first followed: gateways only publish, so their metrics would always be 0. */
  let metrics: UsageLogMetrics | undefined;
  const setAside = createSetAside(log, () => metrics?.setAside.inc());
  const days = linkUsageStream(nats, usageStreamSettings(replicas));
  const months = linkUsageStream(nats, usageMonthsStreamSettings(replicas));
  const dayWriter = new JetStreamUsageWriter(days);
  const refusalWriter = new JetStreamUsageWriter(days, "refusals");
  const monthWriter = new JetStreamUsageWriter(months);

  const followings = new Set<UsageFollowing>();
  let closed = false;
  const requireOpen = () => {
    if (closed) throw new Error("the usage log is closed");
  };
  const followStream = <Subject>(
    link: UsageStreamLink,
    stream: string,
    parse: (name: string) => Subject | null,
    apply: (subject: Subject, message: Record<CountsProperty, KeyCounts>, sequence: number) => void,
  ): UsageFollowing => {
    const onMessage = ({ subject: name, data, seq }: StreamMessage) => {
      const subject = parse(name);
      const message = decodeUsageMessage(data);
      if (subject === null) setAside(stream, seq, "invalid subject");
      else if ("problem" in message) setAside(stream, seq, message.problem);
      else apply(subject, message, seq);
    };
    metrics ??= usageLogMetrics(options.registry);
    const [live, lag] = [metrics.live.labels(stream), metrics.lag.labels(stream)];
    const observer = {
      live: (isLive: boolean) => live.set(Number(isLive)),
      lag: (messages: number) => lag.set(messages),
    };
    const following = followUsageStream({ nats, link, log, onMessage, observer });
    followings.add(following);
    return following;
  };

  return {
    publish: async (subject, counts) => {
      requireOpen();
      return dayWriter.publish(natsSubject(subject), counts);
    },
    publishRefusals: async (subject, refusals) => {
      requireOpen();
      return refusalWriter.publish(natsSubject(subject), refusals);
    },
    publishMonth: async (record) => {
      requireOpen();
      await monthWriter.publish(natsMonthSubject(record), record.totals);
    },
    async follow(apply, applyMonth) {
      requireOpen();
      const own = [
        followStream(days, USAGE_STREAM, parseNatsSubject, (subject, { counts, refusals }, seq) =>
          apply({ subject, counts, ...(refusals.size > 0 && { refusals }) }, seq),
        ),
      ];
      if (applyMonth)
        own.push(
          followStream(months, USAGE_MONTHS_STREAM, parseNatsMonthSubject, (subject, { counts: totals }) =>
            applyMonth({ ...subject, totals }),
          ),
        );
      await Promise.all(own.map((following) => following.caughtUp));
      return {
        async [Symbol.asyncDispose]() {
          for (const following of own) followings.delete(following);
          await Promise.all(own.map((following) => following[Symbol.asyncDispose]()));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const ending = [...followings].map((following) => following[Symbol.asyncDispose]());
      await Promise.all([...[dayWriter, refusalWriter, monthWriter].map((writer) => writer.settled()), ...ending]);
    },
  };
}

/** The first of many invalid messages are logged one by one, and the others by kind. */
const SET_ASIDE = { burst: 10, refillMs: 10_000 };

/** Counts and logs each invalid message once, even if it is reread. */
function createSetAside(log: Logger, count: () => void) {
  const line = budgetedLine(log, "error", "usage log message set aside", SET_ASIDE);
  /** The last message of each stream that was set aside: a stream is read in order. */
  const last = new Map<string, number>();
  return (stream: string, sequence: number, problem: string) => {
    if (sequence <= (last.get(stream) ?? 0)) return;
    last.set(stream, sequence);
    count();
    line({ stream, sequence, problem }, problem);
  };
}

export type UsageLogMetrics = ReturnType<typeof usageLogMetrics>;

/** Metrics of following a usage log on NATS. */
export function usageLogMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ["stream"];
  return {
    setAside: new Counter({
      name: "geolookup_usage_log_messages_set_aside_total",
      help: "Messages of the usage log that could not be parsed and were skipped.",
      registers,
    }),
    live: new Gauge({
      name: "geolookup_usage_log_live",
      help: "1 while counts arrive as they are published, 0 while the NATS stream can't be followed.",
      labelNames,
      registers,
    }),
    lag: new Gauge({
      name: "geolookup_usage_log_lag_messages",
      help: "Messages in the stream that this process had not read at the last check (every second).",
      labelNames,
      registers,
    }),
  };
}
