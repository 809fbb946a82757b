import type { RowOf } from "../../core/store";
import { certificateOf } from "./lke-certificate";

/** Where the API server of a cluster would be. */
export const endpointsOf = ({ uuid, region }: RowOf<"lkeClusters">): string[] =>
  [443, 6443].map((port) => `https://${uuid}.${region}.lke.cloudinfra.example:${port}`);

/** The file that kubectl reads: the cluster, its certificate authority, and the token of its administrator. */
export async function kubeconfigOf(cluster: RowOf<"lkeClusters">): Promise<string> {
  const { stringify } = await import("yaml");
  const name = `lke${cluster.id}`;
  const user = `${name}-admin`;
  const context = `${name}-ctx`;
  const authority = await certificateOf(cluster.authority, name, cluster.created);
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    preferences: {},
    clusters: [
      {
        name,
        cluster: {
          "certificate-authority-data": Buffer.from(authority).toString("base64"),
          server: endpointsOf(cluster)[0],
        },
      },
    ],
    users: [{ name: user, user: { "as-user-extra": {}, token: cluster.token } }],
    contexts: [{ name: context, context: { cluster: name, namespace: "default", user } }],
    "current-context": context,
  });
}
