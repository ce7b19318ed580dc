import { readFileSync } from "node:fs";
import { connect as connectTcp, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import { type Authority, type CertificateFiles, createAuthority } from "../../../../../../test/harness/certificates.ts";
import { HANDSHAKE } from "../../grpc/testing/raw-grpc.ts";
import { nameOf } from "./internal-certificates.ts";

/** A client that a port with internal TLS must refuse, and the reason in its log. */
export interface RefusedClient {
  what: string;
  reason: string;
  connect(port: number): Socket;
}

/** Opens a TLS connection to a port of this machine. It accepts any certificate of the CA. */
export function connectWith(port: number, files: CertificateFiles | null, options: ConnectionOptions): TLSSocket {
  const own = files && { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
  const socket = connectTls({ port, servername: "test", checkServerIdentity: () => undefined, ...own, ...options });
  socket.on("error", () => {});
  return socket;
}

/** Opens a TCP connection to a port of this machine, and sends bytes. */
export function connectPlain(port: number, bytes: Buffer): Socket {
  const socket = connectTcp(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("error", () => {});
  return socket;
}

/**
 * Clients that have no valid certificate, or no TLS 1.3.
 * @param authority the CA that the port trusts.
 * @param protocol what the port speaks: `h2`, or `http/1.1`.
 */
export function refusedClients(authority: Authority, protocol: string): RefusedClient[] {
  const options = { ca: authority.ca, ALPNProtocols: [protocol] };
  const names = [nameOf("gateway")];
  return [
    {
      what: "no certificate",
      reason: "the client sent no certificate",
      connect: (port) => connectWith(port, null, options),
    },
    {
      what: "a certificate of another CA",
      reason: "the client's certificate is from a CA that isn't in INTERNAL_TLS_CA_FILE",
      connect: (port) => connectWith(port, createAuthority().issue({ names }), options),
    },
    {
      what: "an expired certificate",
      reason: "the client's certificate has expired",
      connect: (port) => connectWith(port, authority.issue({ names, days: -1 }), options),
    },
    {
      what: "TLS 1.2",
      reason: "the client doesn't support TLS 1.3",
      connect: (port) => connectWith(port, authority.issue({ names }), { ...options, maxVersion: "TLSv1.2" }),
    },
    {
      what: "plaintext HTTP/2",
      reason: "the client doesn't use TLS",
      connect: (port) => connectPlain(port, HANDSHAKE),
    },
    {
      what: "plaintext HTTP/1.1",
      reason: "the client doesn't use TLS",
      connect: (port) => connectPlain(port, Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n")),
    },
  ];
}
