import { absent, type Client } from "./clients";

/** The tests of a client that have passed and failed. */
export interface Result {
  client: Pick<Client, "name" | "version" | "does">;
  passed: readonly string[];
  failed: readonly string[];
}

/** The page docs/compatibility.md. */
export const compatibilityPage = (results: readonly Result[]): string => `# Clients of the public API

\`cloudinfra emulator --dialect linode\` speaks the names of the public Linode API v4. These published clients run against it
unchanged: their tests set only the address and the token. \`make clients\` installs them, runs their tests and writes this page.

| Client | Version | Tests | Subjects of the tests |
| --- | --- | --- | --- |
${results.map(row).join("\n")}

Today's releases read fields, images, regions and operations that came after release 4.108.1. The emulator has them
([dialect](emulator.md#the-dialect)); products that came later, such as VPCs and placement groups, do not exist in it, and creating one
is a 404 that names the product.

## Not run

| Client | Version | Why |
| --- | --- | --- |
${absent.map(({ name, version, why }) => `| ${name} | ${version} | ${why} |`).join("\n")}
`;

const row = ({ client: { name, version, does }, passed, failed }: Result): string => {
  const tests = failed.length
    ? `${passed.length} of ${passed.length + failed.length} pass; not: ${failed.join(", ")}`
    : `${passed.length} of ${passed.length} pass`;
  return `| ${name} | ${version} | ${tests} | ${does} |`;
};
