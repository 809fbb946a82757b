import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { camel, fieldsOf, kebab, metaOf } from "../../../api";
import type { Kind } from "../../../provider/engine/definition";
import { settingsFrom } from "../../../provider/pulumi/settings";
import { kinds } from "../../../provider/resources";
import { commands, configurationFile } from "../../../tools/generate/configuration";
import { exampleOf } from "../../../tools/generate/examples";
import { anchor } from "../../../tools/generate/markdown";
import { missingExamples, resourceFiles } from "../../../tools/generate/resources/files";
import { sinceOf } from "../../../tools/generate/shape";

const root = join(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const all: [name: string, kind: Kind][] = Object.entries(kinds);
const pages = { ...resourceFiles(root, kinds), ...configurationFile() };

test("every kind has an example that creates it", () => {
  expect(missingExamples(root, kinds)).toEqual([]);
  for (const [name] of all) {
    expect(read(exampleOf(name))).toMatch(/from "pulumi-cloudinfra";/);
    expect(read(exampleOf(name))).toMatch(new RegExp(`new (\\w+\\.)?${name}\\(`));
  }
});

test("names the file to write for a kind without an example", () => {
  expect(missingExamples(root, { GadgetBox: kinds.Volume })).toEqual([
    'GadgetBox has no example: write examples/resources/gadget-box.ts, a small program that imports "pulumi-cloudinfra" and declares one',
  ]);
});

test.each(Object.keys(pages))("every link of %s has a target", (file) => {
  for (const [, link = ""] of (pages[file] ?? "").matchAll(/\]\(([^)]+)\)/g)) {
    const [path = "", heading] = link.split("#");
    const [, source] =
      /^https:\/\/github\.com\/pulumi-cloudinfra\/pulumi-cloudinfra\/blob\/main\/(.+)$/.exec(path) ?? [];
    const target = source ?? join(dirname(file), path);
    expect(existsSync(join(root, target)), link).toBe(true);
    if (heading) expect(anchors(target), link).toContain(`#${heading}`);
  }
});

const known = new Map<string, ReadonlySet<string>>();

function anchors(file: string): ReadonlySet<string> {
  const found =
    known.get(file) ?? new Set([...read(file).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => anchor(text)));
  known.set(file, found);
  return found;
}

test("every version in the reference is in the changelog", () => {
  const versions = [...read("CHANGELOG.md").matchAll(/^## \[([\d.]+)\]/gm)].map(([, version]) => version);
  for (const [, kind] of all)
    for (const field of [undefined, ...Object.values(fieldsOf(kind.inputs))])
      expect(versions).toContain(sinceOf(kind, field));
});

describe("the page of a kind", () => {
  test("promises only those checks of a create that the definition has, and whether they warn or reject", () => {
    const noConfig =
      "The preview of a create warns if the instance has no boot config, or several of which none is declared.";
    const promised = all.flatMap(([name]) => {
      const text = pages[`docs/resources/${kebab(name)}.md`] ?? "";
      const found = text.match(/The preview (of a create warns|rejects a create) [^.]*\./g);
      return found ? [[name, found]] : [];
    });
    expect(promised, "add the sentence of a new kind to the list in this test").toEqual([
      [
        "InstanceAction",
        [
          "The preview rejects a create if `allowReboot` is false.",
          "The preview of a create warns about the action that it runs.",
        ],
      ],
      ["InstanceConfig", ["The preview of a create warns that the instance boots or reboots if `booted` is true."]],
      ["InstanceSnapshot", ["The preview of a create warns that the current snapshot of the instance is deleted."]],
      ["LkeNodeRecycle", ["The preview of a create warns about the nodes that it replaces."]],
      ["Volume", [noConfig]],
      ["VolumeAttachment", [noConfig]],
    ]);
  });

  const rows = (file: string) => (pages[file] ?? "").split("\n").filter((line) => line.startsWith("| "));
  const row = (file: string, path: string) => rows(file).find((line) => line.startsWith(`| \`${path}\` |`));

  /** The block of an input, from its heading to the next heading. */
  const block = (file: string, path: string) =>
    (pages[file] ?? "").split(/^(?=<h3 |## )/m).find((text) => text.includes(`<code>${path}</code>`));

  test.each(all)("%s has a block for each input, the required ones first", (name, kind) => {
    const file = `docs/resources/${exampleOf(name).replace(/.*\/(.*)\.ts/, "$1.md")}`;
    for (const [key, field] of Object.entries(fieldsOf(kind.inputs)))
      if (!metaOf(field).computed) expect(block(file, camel(key)), key).toBeDefined();
    const headings = [...(pages[file] ?? "").matchAll(/^<h3 id="\w+">(.*)<\/h3>$/gm)].map(([, text = ""]) => text);
    const needed = headings.map((text) => text.includes("<kbd>required</kbd>"));
    expect(needed).toEqual(needed.toSorted((a, b) => Number(b) - Number(a)));
  });

  test("shows the effect of a change, and the operations that apply it", () => {
    const file = "docs/resources/instance.md";
    expect(block(file, "label")).toContain(
      "*Change:* In place: [`instances.update`](../api/instances.md#instancesupdate).",
    );
    expect(block(file, "type")).toContain(
      "In place: [`instances.resize`](../api/instances.md#instancesresize). A running instance shuts down",
    );
    expect(block(file, "type")).toContain("The preview reports side effects. Waits until the change is complete.");
    expect(block(file, "image")).toContain("Replaces the instance.");
    expect(block(file, "region")).toContain(
      'Replaces the instance unless `regionChange` is "migrate". Otherwise in place: [`instances.migrate`](../api/instances.md#instancesmigrate)',
    );
    expect(block(file, "swapSize")).toContain("Write-only: the value is used only when the disk is deployed");
    expect(block(file, "resizeDisks")).toContain("In place, without an API call.");
  });

  test.each([
    ["instance.md", "region", "string <kbd>required</kbd> <kbd>may replace</kbd> <kbd>reboots</kbd>"],
    ["instance.md", "type", "string <kbd>required</kbd> <kbd>reboots</kbd>"],
    ["instance.md", "image", "string <kbd>replaces</kbd>"],
    ["instance.md", "rootPass", "string <kbd>secret</kbd> <kbd>reboots</kbd>"],
    ["instance.md", "swapSize", "integer <kbd>write-only</kbd>"],
    ["instance.md", "label", "string"],
    ["volume.md", "region", "string <kbd>replaces</kbd>"],
    ["volume.md", "size", "integer"],
    ["instance-disk.md", "size", "integer <kbd>required</kbd> <kbd>reboots</kbd>"],
  ])("%s: the first line of %s has its type and what a change does", (page, path, line) => {
    expect(block(`docs/resources/${page}`, path)?.split("\n")[0]).toBe(
      `<h3 id="${path.toLowerCase()}"><code>${path}</code> ${line}</h3>`,
    );
  });

  test("shows constraints, defaults, and inputs that the configuration can set", () => {
    expect(block("docs/resources/volume.md", "size")).toContain("\n*Allowed:* 10 to 10240. *Default:* `20`.\n");
    expect(block("docs/resources/instance.md", "allowReboot")).toContain(
      "*Default:* `true`; from [`cloudinfra:allowReboot`](../configuration.md).",
    );
  });

  test("folds the fields of objects, also in lists and maps", () => {
    expect(block("docs/resources/firewall.md", "rules")).toMatch(
      /<details><summary>\d+ fields<\/summary>\n\n(- .*\n)*- `rules\.inbound\[\]\.addresses\.ipv4` · list of strings\./,
    );
    expect(block("docs/resources/lke-cluster.md", "pools")).toContain(
      "\n- `pools.*.disks[].size` · integer, **required**. ",
    );
  });

  test("shows secret outputs, and outputs that are not stored in state", () => {
    expect(row("docs/resources/lke-cluster.md", "kubeconfig")).toContain("| string | secret |");
    expect(row("docs/resources/volume.md", "updated")).toBeUndefined();
    expect(pages["docs/resources/volume.md"]).toContain("changes it on its own: `computeLabel`, `updated`.");
  });

  test("shows statuses, timeouts, replacement order and id", () => {
    const page = pages["docs/resources/volume.md"];
    expect(page).toContain("| `contact_support` | failed |");
    expect(page).toContain("| 10 minutes | 10 minutes | 10 minutes |");
    expect(page).toContain(
      "If `label` is set, a replacement deletes the old volume before it creates the new one. Otherwise the new volume is created first.",
    );
    expect(page).toContain("`{volumeId}`. Use `Volume.get(");
    expect(pages["docs/resources/firewall-device.md"]).toContain(
      "In a replacement, the old firewall device is deleted before the new one is created.",
    );
  });
});

test("an input that is compared by the hash of its content has the effect of the hash", () => {
  expect(pages["docs/resources/image.md"]).toContain(
    "Changing `diskId`, `region`, `file` or `source` replaces the image.",
  );
  const index = (pages["docs/resources/README.md"] ?? "").split("\n");
  const row = (name: string) =>
    index.find((line) => line.split(" | ").length > 4 && line.startsWith(`| [\`${name}\`]`))?.split(" | ");
  expect(row("Image")?.slice(1, 3)).toEqual(["`diskId`, `region`, `file`, `source`", "`label`, `description`"]);
  expect(row("OAuthClient")?.[2]).toContain("`thumbnail`");
});

test("a page explains what still exists after a deletion", () => {
  expect(pages["docs/resources/service-transfer.md"]).toContain("Deleting the resource cancels a pending transfer.");
  expect(pages["docs/resources/account-contact.md"]).toContain("it only removes the resource from the state.");
});

test("the index lists all secret outputs, which docs/guides/secrets.md links", () => {
  const [, text = ""] = (pages["docs/resources/README.md"] ?? "").split("\n## Secret outputs\n");
  const listed = [...text.matchAll(/^\| \[`\w+`\]\((.*\.md)\) \| (`.*`) \|$/gm)].map(([, file, outputs]) => [
    file,
    outputs,
  ]);
  const secret = Object.entries(pages).flatMap(([file, page]) => {
    const outputs = [...page.matchAll(/^\| (`\w+`) \| [^|]+ \| secret \|/gm)].map(([, output]) => output);
    return outputs.length ? [[file.replace("docs/resources/", ""), outputs.join(", ")]] : [];
  });
  expect(listed.length).toBeGreaterThan(3);
  expect(listed).toEqual(secret);
  expect(read("docs/guides/secrets.md")).toContain("](../resources/README.md#secret-outputs)");
});

test("the page of a deprecated kind shows the deprecation", () => {
  const old: Kind = {
    ...kinds.ServiceTransfer,
    identity: { ...kinds.ServiceTransfer.identity, area: "entityTransfers" },
  };
  const [page] = Object.values(resourceFiles(root, { EntityTransfer: old })).slice(1);
  expect(page).toContain("\n\n**Deprecated.** The service will remove the operations that it uses.\n\n");
  expect(Object.values(pages).join()).not.toContain("**Deprecated.**");
});

/** The key and the value in a `pulumi config set` command, without the quotes of the shell. */
const valueIn = (command: string): [key: string, value: string] => {
  const [, key = "", value = ""] = /(cloudinfra:\w+) (.+)$/.exec(command) ?? [];
  return [key, value.replace(/^'(.*)'$/, "$1")];
};

test("the provider accepts the documented configuration commands", () => {
  const settings = settingsFrom(Object.fromEntries(Object.values(commands).map(valueIn)), Object.keys(kinds));
  expect(settings).toEqual({
    url: "http://127.0.0.1:4108/v4",
    token: "emulator",
    dialect: "linode",
    timeouts: { create: "20m", Instance: { update: "2h" } },
    rate_limit: 5,
    max_retries: 8,
    default_tags: ["production", "team-web"],
    allow_reboot: "forbid",
    label_prefix: "shop-",
  });
});
