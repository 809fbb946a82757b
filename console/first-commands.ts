import type { Connection } from "../emulator/console/feed";

/** The first commands of a new user: a Pulumi program, and a request that creates a volume. */
export function firstCommands(url: string, { token, dialect }: Connection): { pulumi: string; curl: string } {
  const [setToken, authorization] = token
    ? [`pulumi config set --secret cloudinfra:token ${token}`, `-H "Authorization: Bearer ${token}"`]
    : [
        'printf %s "$CLOUDINFRA_TOKEN" | pulumi config set --secret cloudinfra:token',
        // As an argument, the token would be in the list of processes.
        `-H @<(printf %s "Authorization: Bearer $CLOUDINFRA_TOKEN")`,
      ];
  const pulumi = [
    `pulumi config set cloudinfra:url ${url}`,
    ...(dialect ? [`pulumi config set cloudinfra:dialect ${dialect}`] : []),
    setToken,
    "pulumi up",
  ].join("\n");
  const curl = `curl ${url}/volumes ${authorization} \\\n  -H "Content-Type: application/json" -d '{"label": "data", "region": "us-east"}'`;
  return { pulumi, curl };
}
