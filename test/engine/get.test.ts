import { expect, test } from "vitest";
import { providers } from "./providers";
import { idsOf, mutations, sandbox } from "./sandbox";

test.each(providers("dynamic"))(
  "get reads an object, reports one that does not exist, and a refresh forgets a deleted one (%s)",
  async (provider) => {
    const native = provider === "native";
    const names = native ? "id or label" : "id";
    const program = (id: string) => `exports.label = cloudinfra.Volume.get("data", "${id}").label;`;
    const created = `new cloudinfra.Volume("own", { label: "logs", region: "us-east" });`;
    await using box = await sandbox(created, { native });
    const id = idsOf(await box.stack.up())["Volume own"] ?? "";
    const missing = `Volume: no object has the ${names} "999999"; an id looks like volumeId, such as 12`;
    await box.rewrite(created + program("999999"));
    for (const command of ["preview", "up"] as const) {
      const { code, stdout, stderr } = await box.stack[command]([], { mayFail: true });
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain(missing);
    }

    await box.rewrite(created + program(id));
    box.emulator.requests.clear();
    expect((await box.stack.up()).outputs).toEqual({ label: "logs" });
    expect(mutations(box.emulator)).toEqual([]);
    box.emulator.world.volumes.remove(Number(id));
    await box.stack.refresh();
    const rows = (await box.stack.export()).deployment.resources ?? [];
    expect(rows.filter(({ type }) => type.endsWith("Volume"))).toEqual([]);
  },
);
