import type { Connection } from "../emulator/console/feed";

/** The first commands of a new user: a Pulumi program, and a request that creates a volume. */
export function firstCommands(url: string, { token, dialect }: Connection): { pulumi: string; curl: string } {
  // As an argument, a token would be in the list of processes.
  const setToken = token
    ? `pulumi config set --secret cloudinfra:token ${token}`
    : 'printf %s "$CLOUDINFRA_TOKEN" | pulumi config set --secret cloudinfra:token';
  const request = token
    ? `curl ${url}/volumes -H "Authorization: Bearer ${token}"`
    : `printf 'Authorization: Bearer %s' "$CLOUDINFRA_TOKEN" | curl ${url}/volumes -H @-`;
  const pulumi = [
    `pulumi config set cloudinfra:url ${url}`,
    ...(dialect ? [`pulumi config set cloudinfra:dialect ${dialect}`] : []),
    setToken,
    "pulumi up",
  ].join("\n");
  const curl = `${request} \\\n  -H "Content-Type: application/json" -d '{"label": "data", "region": "us-east"}'`;
  return { pulumi, curl };
}
