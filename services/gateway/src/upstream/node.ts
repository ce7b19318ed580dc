import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { type Method, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { checkHealth } from "@geolookup/shared/runtime/grpc/health.ts";
import { fromStatus, isUnavailable } from "@geolookup/shared/runtime/grpc/status.ts";
import grpc from "@grpc/grpc-js";
import { openAsking, type StreamedMethod } from "./node-client.ts";

const CHECK_AGAIN_AFTER_MS = 50;
/**
 * gRPC waits without end for a connection that was begun while packets were dropped, and the system
 * tries it at ever longer intervals: past this a new one is begun. The old one's socket is left to
 * the system (grpc-js gives no hold of it), which drops it after two minutes or with the peer.
 */
const CONNECTION_TIMEOUT_MS = 3_000;

/** One process of a service, with a channel of its own. */
export interface GrpcNode {
  readonly key: string;
  readonly answering: boolean;
  readonly connected: boolean;
  /** Calls a unary method, or the one of streams for it; `done` is called once, later. Returns a function that gives it up. */
  ask<Request, Response>(
    method: Method<Request, Response>,
    request: NoInfer<Request>,
    timeoutMs: number,
    done: (error: Error | null, response?: Response) => void,
  ): () => void;
  /** Something stayed unanswered: from now on the node counts as silent until it answers a call or a health check. */
  doubt(): void;
  close(): void;
}

/**
 * Opens a node. It counts as answering once its health check says SERVING; while it does not, it is
 * checked over and over.
 * @param options.target names exactly one address.
 * @param options.streams the methods of streams to ask in place of unary ones.
 * @param options.onAnswering told of every change of `answering`.
 */
export function openNode(options: {
  target: string;
  streams?: readonly StreamedMethod[] | undefined;
  onAnswering: () => void;
}): GrpcNode {
  const { target, onAnswering } = options;
  const asking = openAsking(() => client, options.streams);
  let client = connect(target);
  let connectingSinceMs = performance.now();
  let answering = false;
  let checking = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const isConnected = () => client.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
  const setAnswering = (value: boolean) => {
    if (closed || answering === value) return;
    answering = value;
    onAnswering();
    if (!answering && !checking) check();
  };
  const renewConnection = () => {
    const nowMs = performance.now();
    if (isConnected()) connectingSinceMs = nowMs;
    else if (nowMs - connectingSinceMs > CONNECTION_TIMEOUT_MS) {
      client.close();
      client = connect(target);
      connectingSinceMs = nowMs;
    }
  };
  const check = () => {
    checking = true;
    checkHealth(client, (serving) => {
      if (closed) return;
      if (serving) setAnswering(true);
      if (answering) {
        checking = false;
        return;
      }
      renewConnection();
      timer = setTimeout(check, CHECK_AGAIN_AFTER_MS);
      timer.unref();
    });
  };
  check();

  return {
    key: target,
    get answering() {
      return answering;
    },
    get connected() {
      return isConnected();
    },
    ask: <Request, Response>(
      method: Method<Request, Response>,
      request: NoInfer<Request>,
      timeoutMs: number,
      done: (error: Error | null, response?: Response) => void,
    ) => {
      let ended = false;
      const end = asking.ask(method, request, timeoutMs, (error, response) => {
        if (ended) return;
        const silent = error !== null && isUnavailable(error.code);
        setAnswering(!silent);
        if (error === null) done(null, response);
        else done(silent ? new ServiceError("unavailable", error.details, { cause: error }) : fromStatus(error));
      });
      return () => {
        ended = true;
        end();
      };
    },
    doubt: () => setAnswering(false),
    close: () => {
      closed = true;
      clearTimeout(timer);
      asking.close();
      client.close();
    },
  };
}

function connect(target: string): grpc.Client {
  return openClient(target, {
    // Else a client that takes the place of another is handed the other's connection.
    "grpc.use_local_subchannel_pool": 1,
    // A refused connection is tried again soon: a restarted node is back before the others leave.
    "grpc.initial_reconnect_backoff_ms": 25,
    "grpc.max_reconnect_backoff_ms": 100,
  });
}
