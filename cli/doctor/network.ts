import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP } from "node:net";
import { connect as connectTls } from "node:tls";
import { isLoopback } from "../../provider/client/address";
import { proxyVariable } from "../../provider/client/dispatcher";
import { emulatorCommand } from "../../provider/client/errors";
import type { TimeLimit } from "../../provider/pulumi/time-limit";
import { type Check, notChecked, ok, problem, timedCheck } from "./check";

/** Milliseconds in which a server has to accept a connection. */
const CONNECT_MS = 10_000;

/** Whether the address can be reached: its name, the proxy and the connection, as far as the client would use them. */
export async function networkChecks(url: URL, limit: TimeLimit): Promise<Check[]> {
  const variable = proxyVariable(url);
  if (variable) return [ok("DNS", "left to the proxy"), await proxyCheck(variable, limit)];
  const host = url.hostname.replace(/^\[(.+)\]$/, "$1");
  const dns = isIP(host) ? [] : [await dnsCheck(host, limit)];
  if (dns.some(({ result }) => result !== "ok")) return [...dns, notChecked("connection", "the name has no address")];
  return [...dns, await connectionCheck(url, host, limit)];
}

function dnsCheck(host: string, limit: TimeLimit): Promise<Check> {
  const name = "DNS";
  const fix = "Correct the address, or check the network and its name servers";
  return timedCheck({ name, limit, fix }, async () => {
    try {
      const found = await limit.wait(`the addresses of ${host}`, () => lookup(host, { all: true }));
      return ok(name, `${host} is ${found.map(({ address }) => address).join(", ")}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return problem(name, `${host} has no address (${code})`, fix);
    }
  });
}

function proxyCheck(variable: string, limit: TimeLimit): Promise<Check> {
  const name = "proxy";
  const text = process.env[variable] ?? "";
  const correct = `Correct ${variable}, or list the host of the API in NO_PROXY`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // `proxy.example.com:3128` parses as a URL without a host. The value is not shown, because it can contain a password.
  if (!url?.hostname)
    return Promise.resolve(problem(name, `${variable} is not a URL such as http://proxy.example.com:3128`, correct));
  const host = url.hostname.replace(/^\[(.+)\]$/, "$1");
  return timedCheck({ name, limit, fix: correct }, async () => {
    const { ms, code } = await reached(host, portOf(url), url.protocol === "https:", limit);
    if (code === undefined) return ok(name, `${url.host}, from ${variable}, connected in ${ms} ms`);
    return problem(name, `${url.host}, from ${variable}, cannot be reached (${code})`, correct);
  });
}

function connectionCheck(url: URL, host: string, limit: TimeLimit): Promise<Check> {
  const name = "connection";
  const isEncrypted = url.protocol === "https:";
  return timedCheck({ name, limit, fix: CHECK_NETWORK }, async () => {
    const { ms, code, protocol } = await reached(host, portOf(url), isEncrypted, limit);
    if (code !== undefined) return problem(name, `${url.host} cannot be reached (${code})`, adviceFor(code, url));
    if (isEncrypted) return ok(name, `${url.host} in ${ms} ms, ${protocol}`);
    const warning = isLoopback(url) ? "" : ", not encrypted: use https for a service that is not an emulator";
    return ok(name, `${url.host} in ${ms} ms${warning}`);
  });
}

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);

const CHECK_NETWORK = "Check the address, the firewall, and whether HTTPS_PROXY must be set";

function adviceFor(code: string, url: URL): string {
  if (code === "ECONNREFUSED" && isLoopback(url))
    return `Start the emulator with "${emulatorCommand(url.port)}", or correct the port`;
  if (/CERT_(HAS_EXPIRED|NOT_YET_VALID)/.test(code))
    return "Check the clock of this machine; if it is correct, the server needs a new certificate";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "Correct the address: the certificate of the server is for another name";
  if (/CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE/.test(code))
    return "If your network has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS; otherwise correct the address";
  if (/SSL|TLS|EPROTO/.test(code)) return "Check whether the server expects http instead of https, and the port";
  return CHECK_NETWORK;
}

interface Reached {
  ms: number;
  /** The code of the error. Undefined if there is a connection. */
  code?: string;
  /** Version of TLS. */
  protocol?: string | null;
}

function reached(host: string, port: number, isEncrypted: boolean, limit: TimeLimit): Promise<Reached> {
  const startedAt = performance.now();
  return limit.wait(
    `a connection to ${host}:${port}`,
    (signal) =>
      new Promise((resolve) => {
        const options = { host, port, ...(isIP(host) ? {} : { servername: host }) };
        const socket = isEncrypted ? connectTls(options) : connectTcp(options);
        const end = (found: Omit<Reached, "ms">): void => {
          socket.destroy();
          resolve({ ms: Math.round(performance.now() - startedAt), ...found });
        };
        socket.setTimeout(CONNECT_MS, () => end({ code: "no response within 10 s" }));
        socket.once("error", (error: NodeJS.ErrnoException) => end({ code: error.code ?? error.message }));
        socket.once(isEncrypted ? "secureConnect" : "connect", () =>
          end("getProtocol" in socket ? { protocol: socket.getProtocol() } : {}),
        );
        signal.addEventListener("abort", () => socket.destroy(), { once: true });
      }),
  );
}
