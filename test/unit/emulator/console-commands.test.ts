import { describe, expect, test } from "vitest";
import { kebab, namedOperations, operations } from "../../../api";
import { type Flag, flagsOf } from "../../../cli/api/flags";
import { type Call, cliCommand, curlCommand } from "../../../emulator/console/commands";

const call = (more: Partial<Call>): Call => ({
  operation: "volumes.create",
  method: "POST",
  path: "/v4/volumes",
  values: [],
  query: {},
  body: null,
  ...more,
});

describe("a request as a command of cloudinfra", () => {
  test("has a flag for each plain field", () => {
    const body = { label: "data", size: 20, region: "us-east", tags: ["a", "b c"] };
    expect(cliCommand(call({ body }))).toBe(
      "npx cloudinfra api volumes create --label data --size 20 --region us-east --tags a --tags 'b c'",
    );
  });

  test("names boolean flags, and replaces a secret by its mask", () => {
    const body = { booted: false, private_ip: true, root_pass: "[secret]" };
    expect(cliCommand(call({ operation: "instances.create", body }))).toBe(
      "npx cloudinfra api instances create --no-booted --private-ip --root-pass '[secret]'",
    );
  });

  test("has the values of the path as words, in the order of the path", () => {
    expect(cliCommand(call({ operation: "lkePools.view", values: ["12", "7"] }))).toBe(
      "npx cloudinfra api lke-pools view 12 7",
    );
  });

  test("passes nested fields, empty lists and null as a file", () => {
    expect(cliCommand(call({ operation: "firewalls.create", body: { rules: { inbound: [] } } }))).toBe(
      'npx cloudinfra api firewalls create --file - <<\'JSON\'\n{\n  "rules": {\n    "inbound": []\n  }\n}\nJSON',
    );
    for (const body of [{ tags: [] }, { group: null }, { group: "null" }, { group: "" }])
      expect(cliCommand(call({ body }))).toContain("--file -");
  });

  test("passes a body as a file if an option of the command has the name of a field", () => {
    expect(cliCommand(call({ body: { token: "[secret]" } }))).toContain("--file -");
  });

  test.each([
    ["instanceBackups.restore", ["7", "8"], { compute_id: 9, overwrite: true }, "7 8 --body.compute-id 9 --overwrite"],
    ["instances.clone", ["7"], { compute_id: 9 }, "7 --body.compute-id 9"],
  ])("%s has a prefix for the field of the body whose name the path has too", (operation, values, body, words) => {
    const [area = "", name] = operation.split(".").map(kebab);
    expect(cliCommand(call({ operation, values, body }))).toBe(`npx cloudinfra api ${area} ${name} ${words}`);
  });

  test.each(namedOperations(operations))("$name has only flags that the command knows", ({ name, operation }) => {
    const flags = flagsOf(operation).filter(({ path }) => path.length === 1);
    const fieldsIn = (part: string, sampleOf: (flag: Flag) => unknown) =>
      Object.fromEntries(flags.filter((flag) => flag.part === part).map((flag) => [flag.path[0], sampleOf(flag)]));
    const body = fieldsIn("body", ({ value }) => (value === undefined ? true : "text"));
    const query = { ...fieldsIn("query", () => "1"), unknown: "[secret]" } as Record<string, string>;
    const command = cliCommand(call({ operation: name, query, body: Object.keys(body).length > 0 ? body : null }));
    const expected = flags
      .filter(({ part }) => part !== "path")
      .map(
        ({ name, value, part }) =>
          `--${name}${value === undefined && part === "body" ? "" : part === "query" ? " 1" : " text"}`,
      );
    expect(command?.split(" ").slice(5)).toEqual(expected.join(" ").split(" ").filter(Boolean));
  });

  test("does not exist for an operation that only a dialect has", () => {
    expect(cliCommand(call({ operation: "placementGroups.list" }))).toBeNull();
  });

  test("quotes what a shell would interpret, also a single quote", () => {
    expect(cliCommand(call({ body: { label: "it's $(id) `id` ; id" } }))).toBe(
      "npx cloudinfra api volumes create --label 'it'\\''s $(id) `id` ; id'",
    );
    expect(cliCommand(call({ body: { label: "-x" } }))).toBe("npx cloudinfra api volumes create --label=-x");
  });

  test("has the query and the filter", () => {
    const list = { operation: "volumes.list", method: "GET", query: { page: "2" }, filter: '{"label": "a"}' };
    expect(cliCommand(call(list))).toBe(`npx cloudinfra api volumes list --page 2 --filter '{"label": "a"}'`);
  });
});

describe("a request as a curl command", () => {
  const origin = "http://127.0.0.1:4108";

  test("reads the token from the environment", () => {
    expect(curlCommand(call({ method: "GET" }), origin)).toBe(
      'curl http://127.0.0.1:4108/v4/volumes \\\n  -H "Authorization: Bearer $CLOUDINFRA_TOKEN"',
    );
  });

  test("has method, query, filter and body", () => {
    const text = curlCommand(
      call({ method: "PUT", path: "/v4/volumes/7", query: { page: "2" }, filter: "{}", body: { label: "it's" } }),
      origin,
    );
    expect(text.split(" \\\n  ")).toEqual([
      "curl -X PUT 'http://127.0.0.1:4108/v4/volumes/7?page=2'",
      '-H "Authorization: Bearer $CLOUDINFRA_TOKEN"',
      "-H 'X-Filter: {}'",
      "-H 'Content-Type: application/json'",
      `-d '{"label":"it'\\''s"}'`,
    ]);
  });
});
