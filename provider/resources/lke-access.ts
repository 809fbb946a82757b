import { z } from "zod";
import { ApiError } from "../client/errors";
import type { Observed } from "../engine/contexts";
import type { Host } from "../engine/host";

const Secret = z.string().meta({ secret: true });

/** The outputs for access to a cluster. */
export const LkeAccess = z.strictObject({
  kubeconfig: Secret.describe("Decoded kubeconfig for kubectl."),
  endpoint: z.string().describe("URL of the API server."),
  token: Secret.describe("Token of the cluster administrator."),
  ca_certificate: Secret.describe("CA certificate of the API server in PEM format."),
});

export type Access = Observed<z.output<typeof LkeAccess>>;

const Kubeconfig = z.looseObject({
  clusters: z
    .array(z.looseObject({ cluster: z.looseObject({ server: z.string(), "certificate-authority-data": z.string() }) }))
    .min(1),
  users: z.array(z.looseObject({ user: z.looseObject({ token: z.string() }) })).min(1),
});

/**
 * The outputs for access to a cluster. Undefined if the cluster cannot be reached yet. If the API token lacks the
 * permission to read the kubeconfig, the values in state are kept.
 */
export async function readAccess(
  api: Host["api"],
  path: { clusterId: number },
  stored: Access,
): Promise<Access | undefined> {
  try {
    const { kubeconfig } = await api.lkeClusters.viewKubeconfig({ path });
    return await parseKubeconfig(kubeconfig);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 503) return undefined;
    if (error.status === 403) return stored;
    throw error;
  }
}

/** Decodes a kubeconfig from Base64, and extracts the endpoint, the token and the CA certificate. */
export async function parseKubeconfig(base64: string): Promise<z.output<typeof LkeAccess>> {
  const kubeconfig = Buffer.from(base64, "base64").toString("utf8");
  const { clusters, users } = await fieldsIn(kubeconfig);
  const { cluster } = clusters[0] as (typeof clusters)[number];
  const { user } = users[0] as (typeof users)[number];
  return {
    kubeconfig,
    endpoint: cluster.server,
    token: user.token,
    ca_certificate: Buffer.from(cluster["certificate-authority-data"], "base64").toString("utf8"),
  };
}

async function fieldsIn(kubeconfig: string): Promise<z.output<typeof Kubeconfig>> {
  const { parse } = await import("yaml");
  try {
    return Kubeconfig.parse(parse(kubeconfig, { logLevel: "error" }));
  } catch {
    // The errors and warnings of the parser are not shown, because they quote lines of the kubeconfig, which contains
    // the token.
    throw new Error("lkeClusters.viewKubeconfig: the kubeconfig is not valid YAML with a cluster and a user token");
  }
}
