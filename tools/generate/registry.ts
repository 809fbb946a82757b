import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { configVariables, environment } from "./configuration";
import { examplesOf } from "./examples";
import { type Files, PAGE_MARK } from "./mark";
import { code, link, source, table } from "./markdown";
import type { PackageSchema } from "./model";

/** The pages that become how-to guides of the Pulumi Registry. */
const guides = [
  ...["instances", "volumes", "networking", "dns", "load-balancers", "kubernetes", "object-storage"],
  ...["managed-and-account", "secrets", "rate-limits", "testing"],
].map((name) => `docs/guides/${name}.md`);
const pages = [...guides, "docs/drift.md", "docs/import.md", "docs/adopt.md"];

/** The kind whose example is on the first page, in each language. */
const EXAMPLE = "Volume";

/**
 * Generates docs/registry: the pages of the Pulumi Registry, in its form. They have the texts of the other pages, and
 * link to the repository, because the registry has no other pages of ours. `generated` has the pages that are written in
 * the same run.
 */
export function registryFiles(root: string, schema: PackageSchema, generated: Files): Files {
  return {
    "docs/registry/_index.md": overview(root, schema),
    "docs/registry/installation-configuration.md": installation(schema),
    ...Object.fromEntries(
      pages
        .filter((file) => existsSync(join(root, file)))
        .map((page) => [`docs/registry/how-to-guides/${posix.basename(page)}`, guide(root, page, generated)]),
    ),
  };
}

interface FrontMatter {
  title: string;
  /** A summary of at most 160 characters, as the registry requires. */
  meta_desc: string;
}

const page = ({ title, meta_desc }: FrontMatter, ...parts: string[]): string =>
  [
    `---\ntitle: ${JSON.stringify(title)}\nmeta_desc: ${JSON.stringify(meta_desc)}\nlayout: package\n---\n`,
    `${PAGE_MARK}\n${parts.join("\n\n")}\n`,
  ].join("\n");

function overview(root: string, schema: PackageSchema): string {
  const examples = examplesOf(root, EXAMPLE).map(({ fence, text }) => ({ fence, text: asNative(text) }));
  const choices = examples.map(
    ({ fence, text }) => `{{% choosable language ${fence} %}}\n\n\`\`\`${fence}\n${text}\n\`\`\`\n\n{{% /choosable %}}`,
  );
  return page(
    {
      title: schema.displayName,
      meta_desc: `The ${schema.displayName} provider for Pulumi: ${schema.description.split(": ")[1]}`,
    },
    `The ${schema.displayName} provider manages the resources of the Cloud Infrastructure API, which is also that of Linode: instances, volumes, load balancers, DNS zones, buckets and Kubernetes clusters. Previews announce reboots and replacements, a lost response does not create an object twice, and ${code("cloudinfra drift")} reports what was changed outside Pulumi.`,
    "## Example",
    `{{< chooser language "${examples.map(({ fence }) => fence).join(",")}" >}}`,
    ...choices,
    "{{< /chooser >}}",
    "## More",
    [
      `- ${link("Installation and configuration", `https://www.pulumi.com/registry/packages/${schema.name}/installation-configuration/`)}`,
      `- ${link("All resources", source("docs/resources/README.md"))} and ${link("functions", source("docs/functions.md"))}`,
      `- ${link("An emulator of the whole API", source("docs/emulator.md"))}, to try programs without an account`,
    ].join("\n"),
  );
}

/** The registry describes the native plugin, which all languages share. */
const asNative = (text: string): string => text.replace('"pulumi-cloudinfra"', '"pulumi-cloudinfra/native"');

function installation(schema: PackageSchema): string {
  const { name, version, repository, pluginDownloadURL } = schema;
  const goModule = `${repository.replace("https://", "")}/sdks/go`;
  const settings = Object.entries(configVariables()).map(([key, { secret, description = "" }]) => [
    code(`${name}:${key}`),
    secret ? "yes" : "",
    description,
  ]);
  return page(
    {
      title: `${schema.displayName}: Installation & Configuration`,
      meta_desc: `Install the ${schema.displayName} provider for Pulumi, and set its address and token.`,
    },
    "## Installation",
    "The provider is available in these languages:",
    [
      `- JavaScript and TypeScript: [${code("pulumi-cloudinfra")}](https://www.npmjs.com/package/pulumi-cloudinfra)`,
      `- Python: [${code("pulumi-cloudinfra")}](https://pypi.org/project/pulumi-cloudinfra/)`,
      `- Go: [${code(goModule)}](https://pkg.go.dev/${goModule})`,
      `- .NET: the sources of ${code("Pulumi.CloudInfra")} in each [release](${repository}/releases)`,
      "- YAML: no package is needed",
    ].join("\n"),
    "Pulumi installs the plugin itself when a program that uses one of these packages first runs. To install it before, for example in an image:",
    `\`\`\`sh\npulumi plugin install resource ${name} v${version} --server ${pluginDownloadURL}\n\`\`\``,
    "In YAML, each resource names the version and the address:",
    `\`\`\`yaml\nresources:\n  data:\n    type: ${name}:Volume\n    properties:\n      region: us-east\n      size: 20\n    options:\n      version: ${version}\n      pluginDownloadURL: ${pluginDownloadURL}\n\`\`\``,
    "## Configuration",
    "Set the address and the token of the account in the stack:",
    `\`\`\`sh\npulumi config set ${name}:url https://api.example.com/v4\npulumi config set --secret ${name}:token   # asks for the token\n\`\`\``,
    "Or in the environment:",
    "```sh\nexport CLOUDINFRA_URL=https://api.example.com/v4\nexport CLOUDINFRA_TOKEN=TOKEN\n```",
    table(["Setting", "Secret", "Description"], settings),
    table(
      ["Environment variable", "Description"],
      Object.entries(environment).map(([variable, text]) => [code(variable), text]),
    ),
  );
}

function guide(root: string, file: string, generated: Files): string {
  const text = generated[file] ?? readFileSync(join(root, file), "utf8");
  const [, title = "", body = ""] = /^# (.*)\n([\s\S]*)$/m.exec(text) ?? [];
  const converted = body
    .replace(/^<!-- biome-ignore .*\n\n?/gm, "")
    .replace(/^```ts$/gm, "```typescript")
    .replace(/\]\((?!https?:|#)([^)\s]+)\)/g, (_, path: string) => `](${source(posix.join(dirname(file), path))})`)
    .trim();
  return page({ title, meta_desc: summaryOf(converted) }, converted);
}

/** The first sentence of a text as plain text, shortened to 160 characters. */
function summaryOf(text: string): string {
  const plain = text
    .replace(/^#.*$/gm, "")
    .trim()
    .replace(/\s+/g, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("`", "");
  const [sentence = ""] = /^.*?[.:](?= |$)/.exec(plain) ?? [];
  return sentence.length <= 160 ? sentence.replace(/:$/, ".") : `${sentence.slice(0, 157).replace(/ \S*$/, "")} …`;
}
