import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import {
  checkHealth,
  type Method,
  openClient,
  type SecurePeer,
  startUnary,
} from "@geolookup/shared/runtime/grpc/client.ts";
import { fromStatus, isUnavailable } from "@geolookup/shared/runtime/grpc/status.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgeted } from "@geolookup/shared/runtime/observability/log-budget.ts";
import grpc from "@grpc/grpc-js";

const CHECK_INTERVAL_MS = 50;
/**
 * gRPC waits forever for a connection that was started while packets were dropped, and the system retries at ever longer
 * intervals. After this time a new connection is started. grpc-js doesn't expose the old socket, so the system closes it after
 * two minutes, or the peer does.
 */
const CONNECTION_TIMEOUT_MS = 3_000;

/** One process of a service, with its own channel. */
export interface GrpcNode extends Disposable {
  readonly key: string;
  readonly isResponding: boolean;
  readonly isConnected: boolean;
  /** How long it hasn't responded; 0 while it responds. */
  readonly silentMs: number;
  /** Set by the code that reads its responses. */
  isBehind: boolean;
  /** Calls a unary method, and calls `done` once, asynchronously. @returns a function that cancels. */
  call<Request, Response>(
    method: Method<Request, Response>,
    request: NoInfer<Request>,
    timeoutMs: number,
    done: (error: Error | null, response?: Response) => void,
  ): () => void;
  /** The node counts as unresponsive until it responds to a call or a health check. Called by `hedge.ts` when a call is late. */
  markSilent(): void;
}

/**
 * Opens a node. It counts as responding once its health check reports SERVING. Until then it is checked repeatedly.
 * @param options.target with exactly one address.
 * @param options.peer what must be at the target; undefined: anything, without TLS.
 * @param options.onChange called when `isResponding` changes.
 */
export function openNode(options: {
  target: string;
  peer?: SecurePeer | undefined;
  onChange: () => void;
  log: Logger;
}): GrpcNode {
  const { target, peer, onChange, log } = options;
  let client = connect(target, peer);
  let connectingSinceMs = performance.now();
  let isResponding = false;
  let silentSinceMs = performance.now();
  let isChecking = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const isConnected = () => client.getChannel().getConnectivityState(false) === grpc.connectivityState.READY;
  const setResponding = (value: boolean) => {
    if (closed || isResponding === value) return;
    isResponding = value;
    if (!isResponding) silentSinceMs = performance.now();
    onChange();
    if (!isResponding && !isChecking) check();
  };
  const renewConnection = () => {
    const nowMs = performance.now();
    if (isConnected()) connectingSinceMs = nowMs;
    else if (nowMs - connectingSinceMs > CONNECTION_TIMEOUT_MS) {
      client.close();
      client = connect(target, peer);
      connectingSinceMs = nowMs;
    }
  };
  const check = () => {
    isChecking = true;
    checkHealth(client, (serving, reason) => {
      if (closed) return;
      // Nodes that start or end are refused connections. A certificate's problem stays until someone solves it.
      if (peer && /certificate|SSL|TLS/.test(reason)) budgeted(log).warn({ target, reason }, "node's TLS not accepted");
      if (serving) setResponding(true);
      if (isResponding) {
        isChecking = false;
        return;
      }
      renewConnection();
      timer = setTimeout(check, CHECK_INTERVAL_MS);
      timer.unref();
    });
  };
  check();

  return {
    key: target,
    get isResponding() {
      return isResponding;
    },
    get isConnected() {
      return isConnected();
    },
    get silentMs() {
      return isResponding ? 0 : performance.now() - silentSinceMs;
    },
    isBehind: false,
    call: <Request, Response>(
      method: Method<Request, Response>,
      request: NoInfer<Request>,
      timeoutMs: number,
      done: (error: Error | null, response?: Response) => void,
    ) => {
      let isCanceled = false;
      const call = startUnary(client, method, request, { deadlineMs: timeoutMs }, (error, response) => {
        if (isCanceled) return;
        const isSilent = error !== null && isUnavailable(error.code);
        setResponding(!isSilent);
        if (error === null) done(null, response);
        else done(isSilent ? new ServiceError("unavailable", error.details, { cause: error }) : fromStatus(error));
      });
      return () => {
        isCanceled = true;
        call.cancel();
      };
    },
    markSilent: () => setResponding(false),
    [Symbol.dispose]: () => {
      closed = true;
      clearTimeout(timer);
      client.close();
    },
  };
}

function connect(target: string, peer: SecurePeer | undefined): grpc.Client {
  return openClient(target, peer, {
    // Otherwise a replacement client would reuse the old one's connection.
    "grpc.use_local_subchannel_pool": 1,
    // Reconnects quickly, so that a restarted node is back before others leave.
    "grpc.initial_reconnect_backoff_ms": 25,
    "grpc.max_reconnect_backoff_ms": 100,
  });
}
