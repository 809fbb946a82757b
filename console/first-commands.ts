import type { Connection } from "../emulator/console/feed";

/** The first commands of a new user: a Pulumi program, and a request that creates a volume. */
export function firstCommands(url: string, { token, dialect }: Connection): { pulumi: string; curl: string } {
  const shown = token ?? "$CLOUDINFRA_TOKEN";
  const pulumi = [
    `pulumi config set cloudinfra:url ${url}`,
    ...(dialect ? [`pulumi config set cloudinfra:dialect ${dialect}`] : []),
    `pulumi config set --secret cloudinfra:token ${token ?? `"${shown}"`}`,
    "pulumi up",
  ].join("\n");
  const curl = `curl ${url}/volumes -H "Authorization: Bearer ${shown}" \\\n  -H "Content-Type: application/json" -d '{"label": "data", "region": "us-east"}'`;
  return { pulumi, curl };
}
