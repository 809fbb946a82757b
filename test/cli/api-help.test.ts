import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "vitest";
import { type Area, fieldsOf, kebab, operations } from "../../api";
import { api } from "../../cli/api";
import { flagsOf } from "../../cli/api/flags";
import { inputFields } from "../../provider/client/flat-input";
import { run } from "./command";
import { runHere } from "./in-process";

const all = Object.entries<Area>(operations).flatMap(([area, known]) =>
  Object.entries(known).map(([key, operation]) => ({ words: [kebab(area), kebab(key)], operation })),
);

describe("every operation is a command", () => {
  let printed = "";
  const help = async (words: string[]): Promise<string> => {
    printed = "";
    const write = process.stdout.write;
    process.stdout.write = (text: string | Uint8Array) => {
      printed += text;
      return true;
    };
    try {
      await api(words).catch((error) => expect(error).toMatchObject({ exitCode: 0 }));
    } finally {
      process.stdout.write = write;
    }
    return stripVTControlCharacters(printed);
  };

  test.each(all)("$words", async ({ words, operation }) => {
    const text = await help([...words, "--help"]);
    const flowed = text.replace(/\s+/g, " ");
    expect(flowed).toContain(operation.summary.replace(/ `\w+\.\w+`.*/, ""));
    expect(flowed).toContain(`${operation.method} /v4${operation.beta ? "beta" : ""}${operation.path} `);
    // Operations are named as commands, not as in code: `volumes.attach`.
    for (const [, area, key] of text.matchAll(/`(\w+)\.(\w+)`/g))
      expect(Object.keys(operations[area as keyof typeof operations] ?? {})).not.toContain(key);
    for (const scope of operation.scopes) expect(text).toContain(scope);
    if (operation.grant) expect(text).toContain(operation.grant);
    for (const { name, schema } of flagsOf(operation)) {
      expect(text).toMatch(new RegExp(`--(\\[no-\\])?${name.replaceAll(".", "\\.")}( |$)`, "m"));
      for (const field of Object.keys(fieldsOf(schema))) expect(text).toContain(`${name}.${kebab(field)}`);
    }
    for (const [field, part] of inputFields(operation))
      if (part === "body" || part === "path" || part === "query")
        expect(text).toMatch(new RegExp(`--\\S*${kebab(field)}`));
    expect(await help([words[0] as string])).toContain(`  ${words[1]}`);
    expect(await help([])).toMatch(new RegExp(`^  ${words[0]} .*`, "m"));
    const names = flagsOf(operation).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("prints its help without other arguments too", async () => {
    const { code, stdout } = await run(["api", "volumes", "attach", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Attach a volume to an instance in the same region\.\n\nUsage: cloudinfra api volumes attach <volume-id> \[flags\]\n/,
    );
    expect(stdout).toContain("scope  `volumes:read_write` and `computes:read_write`\n  grant  `read_only`");
    expect(stdout).toContain("POST /v4/volumes/{volumeId}/attach\n");
    expect(stdout).toContain("--[no-]persist-across-boots");
  });

  test("names other operations as commands", async () => {
    const text = (await runHere(["api", "firewalls", "update", "--help"])).stdout.replace(/\s+/g, " ");
    expect(text).toContain(
      "To update its rules, use `cloudinfra api firewalls update-rules`. To assign it to an instance, use `cloudinfra api firewall-devices create`.",
    );
  });
});
