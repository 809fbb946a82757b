import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { chown } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Missing, python } from "../../tools/install";

/** A server that runs until it is disposed of. */
export interface Service extends AsyncDisposable {
  port: number;
}

/** A server in Python with the APIs of S3 and KMS. */
export async function aws(): Promise<Service> {
  const command = await python(join(__dirname, "requirements.txt"));
  const port = await freePort();
  const child = spawn(command, ["-m", "moto.server", "--port", String(port)], { stdio: "ignore" });
  return started("moto", child, port, async () => (await fetch(`http://127.0.0.1:${port}/`)).ok);
}

/** Creates a bucket. Returns the address of a backend in it. */
export async function bucketAt({ port }: Service, name: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/${name}`, { method: "PUT" });
  if (!response.ok) throw new Error(`the bucket was not created: ${response.status}`);
  return `s3://${name}?region=us-east-1&endpoint=http://127.0.0.1:${port}&s3ForcePathStyle=true`;
}

/** Creates a key of KMS. Returns the provider of secrets that uses it. */
export async function keyAt({ port }: Service): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "TrentService.CreateKey",
      authorization: "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/kms/aws4_request",
    },
    body: "{}",
  });
  const { KeyMetadata } = (await response.json()) as { KeyMetadata: { KeyId: string } };
  return `awskms://${KeyMetadata.KeyId}?region=us-east-1&awssdk=v2`;
}

/** The environment in which Pulumi uses the server instead of AWS. */
export const awsEnv = ({ port }: Service): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
  AWS_REGION: "us-east-1",
  AWS_ENDPOINT_URL_KMS: `http://127.0.0.1:${port}`,
});

/** The password of the database's user. */
export const PASSWORD = "planted-password-42";

/** A PostgreSQL server with a database in a temporary folder. */
export async function postgres(): Promise<Service & { url: string }> {
  const programs = postgresPrograms();
  const user = await unprivileged();
  // A folder that another user can reach, which folders in the home folder of root are not.
  const folder = mkdtempSync(join(user ? "/tmp" : tmpdir(), "postgres-"));
  const [data, password] = [join(folder, "data"), join(folder, "password")];
  writeFileSync(password, PASSWORD);
  if (user) for (const path of [folder, password]) await chown(path, user.uid, user.gid);
  const options = { ...user, cwd: folder, stdio: "ignore" as const };
  const initdb = ["-D", data, "-U", "team", "--auth=scram-sha-256", `--pwfile=${password}`];
  const [code] = await once(spawn(join(programs, "initdb"), initdb, options), "exit");
  if (code !== 0) throw new Error(`initdb ended with code ${code}`);
  const port = await freePort();
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const child = spawn(join(programs, "postgres"), ["-D", data, "-p", String(port), ...settings], options);
  const ready = () => existsSync(join(data, "postmaster.pid"));
  const service = await started("PostgreSQL", child, port, async () => ready() && (await accepts(port)));
  return {
    port,
    url: `postgres://team:${PASSWORD}@127.0.0.1:${port}/postgres?sslmode=disable`,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder with the programs of PostgreSQL. Debian installs them in a folder for each version, which is not on PATH. */
function postgresPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [];
  const folders = [...(process.env.PATH ?? "").split(":"), ...versions];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  if (found === undefined)
    throw new Missing("PostgreSQL is not installed. Install it, such as with apt-get install postgresql");
  return found;
}

/** PostgreSQL does not run as root, so root runs it as the user `nobody`. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address ? address.port : 0;
}

const accepts = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    // PostgreSQL closes a connection that does not speak its protocol.
    ({ cause }: Error) => (cause as { code?: string } | undefined)?.code !== "ECONNREFUSED",
  );

/** Waits until a server responds. */
async function started(
  name: string,
  child: ChildProcess,
  port: number,
  responds: () => Promise<boolean>,
): Promise<Service> {
  const exit = once(child, "exit");
  for (let attempt = 0; !(await responds().catch(() => false)); attempt++) {
    if (child.exitCode !== null || attempt > 300) throw new Error(`${name} did not start`);
    await setTimeout(100);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
