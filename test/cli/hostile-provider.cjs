// Runs a provider in a process of its own. Calls it for a volume in all the ways in which Pulumi does, and prints the
// result of each call.
const { connect } = require("../../dist/provider/client/index.js");
const { hostOf } = require("../../dist/provider/pulumi/connection.js");
const { Managed } = require("../../dist/testing/provider.js");

const [url, token] = process.argv.slice(2);
const client = connect({ url, token, retry: { max: 0 } });
const tell = (message) => console.log(message);
const host = hostOf(client, { now: Date.now }, { warn: tell, progress: tell });
const outcome = (work) =>
  work.then(
    () => "done",
    (error) => error.message,
  );

async function main() {
  const volume = new Managed("Volume", host);
  console.log(await outcome(volume.up({ label: "data", region: "us-east" })));
  const reads = Array.from({ length: 40 }, (_, i) => host.reads.view("volumes", { volumeId: i + 1 }));
  console.log(...new Set(await Promise.all(reads.map(outcome))));
  const names = Array.from({ length: 16 }, (_, i) => host.api.volumes.view({ path: { volumeId: i + 1 } }));
  console.log(...new Set(await Promise.all(names.map(outcome))));
  console.log(await outcome(host.api.volumes.delete({ path: { volumeId: 1 } })));
  await client.close();
}

void main();
