import { connectionFor } from "../provider/heads/connection";
import { dynamicHead } from "../testing/head";
import { liveUntil } from "./lives";

/** Calls the provider for dynamic resources in this process until SIGTERM, with the same values as Pulumi. */
async function main(): Promise<void> {
  const [url = "", perSecond] = process.argv.slice(2);
  const talk = { warn: () => {}, progress: () => {} };
  const { host, close } = connectionFor({ "cloudinfra:url": url, "cloudinfra:token": "emulator" }, talk);
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  console.log("ready");
  const lives = { prefix: "dynamic", host, head: dynamicHead, hasLimits: true, perSecond: Number(perSecond) };
  await liveUntil(stop.signal, lives, (error) => console.error(error.message));
  await close();
}

void main();
