/** Whether the stream is encrypted, and with which certificates. */

import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import * as nodeTls from "node:tls";
import { credentials } from "@grpc/grpc-js";
import type { ChannelCredentials, ChannelOptions } from "@grpc/grpc-js";

/** How to encrypt; every field is the name of a file in PEM. */
export interface TlsSettings {
  /** The authority that signed the referee's certificate; those that the system trusts if absent. */
  readonly ca?: string;
  /** The bot's own certificate, for a referee that wants one. */
  readonly cert?: string;
  /** The key of that certificate. */
  readonly key?: string;
}

/** A file that cannot be used. */
export class TlsError extends Error {
  override readonly name = "TlsError";
}

/** What encrypts a stream, and the options of the channel that go with it. */
export interface Secured {
  readonly credentials: ChannelCredentials;
  readonly options: ChannelOptions;
}

/**
 * What encrypts a stream to an address; without settings nothing does.
 *
 * @throws TlsError naming the variable and the file
 */
export function securedFor(address: string, settings: TlsSettings | undefined): Secured {
  if (settings === undefined) {
    return { credentials: credentials.createInsecure(), options: {} };
  }
  const host = address.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const { ca, cert, key } = settings;
  const roots = ca === undefined ? systemRoots() : read("TOEP_TLS_CA", ca);
  if (ca !== undefined && !roots?.includes("-----BEGIN CERTIFICATE-----")) {
    throw new TlsError(`TOEP_TLS_CA is "${ca}": there is no certificate in PEM`);
  }
  const chain = cert === undefined ? null : read("TOEP_TLS_CERT", cert);
  const secret = key === undefined ? null : read("TOEP_TLS_KEY", key);
  try {
    if (isIP(host) === 0) {
      return { credentials: credentials.createSsl(roots, secret, chain), options: {} };
    }
    // An IP address may not be asked for by name (RFC 6066): some name is, and the certificate is held against the
    // address all the same.
    const checkServerIdentity = (_: string, certificate: nodeTls.PeerCertificate) =>
      nodeTls.checkServerIdentity(host, certificate);
    return {
      credentials: credentials.createSsl(roots, secret, chain, { checkServerIdentity }),
      options: { "grpc.ssl_target_name_override": "localhost" },
    };
  } catch {
    throw new TlsError("TOEP_TLS_CA, TOEP_TLS_CERT and TOEP_TLS_KEY: these are no certificates and key that fit");
  }
}

function read(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new TlsError(`${variable} is "${path}", which cannot be read (${code})`);
  }
}

/** What the system trusts, where Node can tell (22.15 or newer); else null: Node then takes its own list. */
function systemRoots(): Buffer | null {
  const { getCACertificates } = nodeTls as { getCACertificates?: (type: string) => string[] };
  const found = getCACertificates?.("system") ?? [];
  return found.length > 0 ? Buffer.from(found.join("\n")) : null;
}
